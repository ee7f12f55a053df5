(d=>{d.className="js";try{let m=localStorage["wiki-mode"];if(m=="light"||m=="dark")d.dataset.mode=m}catch{}})(document.documentElement)
