try{var m=localStorage.getItem("wiki-mode");if(m=="light"||m=="dark")document.documentElement.dataset.mode=m}catch(e){}document.documentElement.classList.add("js")
