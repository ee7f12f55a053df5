{const a=document.links[0];a.hash||=location.hash;location.replace(a.href)}
