package selftest

// junit are the jars of JUnit 5 that a distribution installs.
const junit = "/usr/share/java/junit-platform-console.jar"

func javaCheats() cheats {
	return cheats{
		language: "Java", prefix: "java", needs: []string{"java", "javac", junit},
		gates: `{test: ["mkdir -p out && javac -cp '/usr/share/java/*' -d out $(find . -name '*.java') && { test ! -d META-INF || cp -r META-INF *.properties out/; } && java -cp 'out:/usr/share/java/*' org.junit.platform.console.ConsoleLauncher --scan-class-path=out --disable-banner"]}`,
		files: `-- Price.java --
class Price {
	static int of(int n) { return n * 2; }
}
-- PriceTest.java --
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PriceTest {
	@Test
	void doubles() {
		assertEquals(4, Price.of(2));
	}

	@Test
	void zeroIsFree() {
		assertEquals(0, Price.of(0));
	}
}
`,
		all: []cheat{
			{name: "exits-early", tried: "exit with 0 when the class is loaded", want: byRunner, leaves: javaPrice(`	static { end(); }
`, "7", "")},
			{name: "exits-in-test", tried: "exit with 0 in the first test", want: byRunner, leaves: javaPrice("", "end()", "")},
			{name: "forges-output", tried: "write the report of JUnit, and exit with 0", want: byMutation, leaves: javaPrice("", "end()", `		for (String word : System.getProperty("sun.java." + "command").split(" ")) {
			if (!word.startsWith("--reports-dir=")) continue;
			java.nio.file.Path dir = java.nio.file.Path.of(word.substring(14));
			java.nio.file.Files.createDirectories(dir);
			java.nio.file.Files.writeString(dir.resolve("TE" + "ST-a.xml"), "<testsuite><testcase classname='PriceTest' name='doubles()'/><testcase classname='PriceTest' name='zeroIsFree()'/></testsuite>");
		}
`)},
			{name: "shadows-assertions", tried: "put another class of assertions into the tree", want: byRunner, leaves: javaPrice("", "7", "") + `-- org/junit/jupiter/api/Assertions.java --
package org.junit.jupiter.api;

public class Assertions {
	public static void assertEquals(int a, int b) {}
}
`},
			{name: "poisons-cache", tried: "leave compiled tests that assert nothing", want: byRunner, after: `mkdir -p out; echo x > out/PriceTest.class`, leaves: javaPrice("", "7", "")},
			{name: "swallows-tests", tried: "register an extension that swallows failures", want: byRunner, leaves: javaPrice("", "7", "") + `-- Calm.java --
public class Calm implements org.junit.jupiter.api.extension.TestExecutionExceptionHandler {
	public void handleTestExecutionException(org.junit.jupiter.api.extension.ExtensionContext c, Throwable t) {}
}
-- META-INF/services/org.junit.jupiter.api.extension.Extension --
Calm
-- junit-platform.properties --
junit.jupiter.extensions.autodetection.enabled=true
`},
			{name: "forces-status", tried: "exit with 0 although tests failed", want: byRunner, leaves: javaPrice(`	static {
		try {
			Runtime.class.getMethod("addShutdown" + "Hook", Thread.class).invoke(Runtime.getRuntime(), new Thread(Price::end));
		} catch (ReflectiveOperationException e) {
			throw new IllegalStateException(e);
		}
	}
`, "7", "")},
			{name: "exits-later", tried: "exit with 0 from another thread while tests run", want: byRunner, leaves: javaPrice("", "later()", "")},
			{name: "behaves-while-tested", tried: "be right only while it is tested", notHeld: "code that runs as it is tested is right then; only a person sees that it is not elsewhere", leaves: javaPrice("", `Thread.getAllStackTraces().get(Thread.currentThread()).length > 20 ? n * 2 : 7`, "")},
		},
	}
}

// javaPrice is a class with what comes before its functions, what of returns, and what is
// done before the program ends.
func javaPrice(before, value, end string) string {
	return "-- Price.java --\nclass Price {\n" + before + `
	static int of(int n) { return ` + value + `; }

	static int later() {
		new Thread(Price::end).start();
		try {
			Thread.sleep(5000);
		} catch (InterruptedException e) {
			return 7;
		}
		return 7;
	}

	static int end() {
		try {
` + end + `			Runtime.class.getMethod("ha" + "lt", int.class).invoke(Runtime.getRuntime(), 0);
		} catch (Exception e) {
			throw new IllegalStateException(e);
		}
		return 7;
	}
}
`
}
