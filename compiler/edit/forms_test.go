package edit_test

// everyForm links to one page in every form there is, and from it.
const everyForm = `
-- index.md --
---
related: concepts/rate-limit.md
see: "[[rate-limit|the ''limit'']]"
up: [[rate-limit]]
sources:
  - concepts/rate-limit.md#L3
  - path: concepts/rate-limit.md
---
# Index

[[rate-limit]] [[concepts/rate-limit]] [[/concepts/rate-limit]] [[rate-limit.md]] [[rate-limit#How|how]] ![[rate-limit]]
[[Rate Limit]] [[throttle]] [a](concepts/rate-limit.md) [b](./concepts/rate-limit.md#how "title") [c](/concepts/rate-limit.md)
[d](<concepts/rate-limit.md>) [e](concepts%2Frate-limit.md) [f](concepts/rate-limit) [g][def] [def]
<a href="concepts/rate-limit.md#how">h</a> ![](concepts/pic.png) see^[concepts/rate-limit.md:3]

| a | b |
|---|---|
| [[rate-limit\|label]] | [[concepts/rate-limit#How\|x]] |

[def]: concepts/rate-limit.md "The limit"
-- concepts/rate-limit.md --
---
aliases: [throttle]
superseded_by: other
source: ../raw/paper.md
---
# Rate limit

## How

[[index]] [[other]] [o](other.md) [i](../index.md) [self](#how) [[#How]] [s](rate-limit.md) ![p](pic.png) ![[pic.png]]
-- concepts/other.md --
---
supersedes: rate-limit
contradicts: [./rate-limit.md]
---
# Other

[[rate-limit]] [r](rate-limit.md#how)
-- concepts/pic.png --
-- raw/paper.md --
# Paper
`
