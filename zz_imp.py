import re
def sub(p,*pairs,all=True):
    s=open(p).read()
    for a,b in pairs:
        assert a in s,(p,a); s=s.replace(a,b) if all else s.replace(a,b,1)
    open(p,'w').write(s)
def imp(p,line):
    """adds an import where imports of packages, then of folders by depth and name, are"""
    s=open(p).read(); spec=re.search(r"from '([^']+)'",line).group(1)
    names=re.match(r"import (type )?\{ (.*) \} from",line)
    ms=list(re.finditer(r"^import [^;]*? from '([^']+)';\n",s,re.M))
    for m in ms:
        if m.group(1)==spec and '{' in m.group(0):
            old=m.group(0); t=old.startswith('import type')
            xs=[x.strip() for x in re.search(r'\{(.*)\}',old,re.S).group(1).split(',') if x.strip()]
            if t: xs=['type '+x for x in xs]
            ys=[x.strip() for x in names.group(2).split(',')]
            if names.group(1): ys=['type '+y for y in ys]
            xs=sorted(set(xs+ys),key=lambda x:x.replace('type ',''))
            if all(x.startswith('type ') for x in xs): new="import type { "+', '.join(x[5:] for x in xs)+f" }} from '{spec}';\n"
            else: new="import { "+', '.join(xs)+f" }} from '{spec}';\n"
            s=s.replace(old,new,1); open(p,'w').write(s); return
    def key(sp): return (0,0) if not sp.startswith('.') else (1,-sp.count('../'), sp)
    at=None
    for m in ms:
        if key(m.group(1))>key(spec): at=m.start(); break
    if at is None: at=ms[-1].end() if ms else s.index('\n',s.rindex('//',0,s.index('\n\n') if '\n\n' in s else len(s)))+1
    s=s[:at]+line+s[at:]; open(p,'w').write(s)
