import re,subprocess,sys
def stm(t):
    """list of (spec, {name}) import statements; None if others"""
    out=[]; rest=re.sub(r"^(import|export) (type )?\{([^}]*)\} from '([^']+)';\n",lambda m:(out.append((m.group(1),m.group(4),[('type ' if m.group(2) and not x.strip().startswith('type ') else '')+x.strip() for x in m.group(3).split(',') if x.strip()])),'')[1],t,flags=re.M)
    rest2=re.sub(r"^import [^{\n]*'[^']+';\n",lambda m:(out.append(('raw',m.group(0),[])),'')[1],rest,flags=re.M)
    if rest2.strip(): return None
    # keep order by position
    order=[]
    for m in re.finditer(r"^(?:(import|export) (type )?\{([^}]*)\} from '([^']+)';|import [^{\n]*'[^']+';)\n",t,re.M):
        if m.group(1): order.append((m.group(1),m.group(4),[('type ' if m.group(2) and not x.strip().startswith('type ') else '')+x.strip() for x in m.group(3).split(',') if x.strip()]))
        else: order.append(('raw',m.group(0),[]))
    return order
key=lambda x:x.replace('type ','').split(' as ')[0]
def merge(base,ours,mine):
    b,o,m=stm(base),stm(ours),stm(mine)
    if None in (b,o,m): return None
    flat=lambda l:{key(n):(s,n) for k,s,ns in l if k!='raw' for n in ns}
    fb,fo,fm=flat(b),flat(o),flat(m)
    add={k:v for k,v in fm.items() if k not in fb or fb[k][0]!=v[0]}
    rem={k for k in fb if k not in fm or fm[k][0]!=fb[k][0]}
    res=[]
    for k,s,ns in o:
        if k=='raw': res.append([k,s,ns]); continue
        res.append([k,s,[n for n in ns if key(n) not in rem]])
    for k,s,ns in m:
        if k=='raw' and (k,s,ns) not in b and [k,s,ns] not in res: res.append([k,s,ns])
    for k,(s,n) in add.items():
        # same file under a new specifier?
        s2=s
        olds={x[0] for kk,x in fb.items() if x[0]==s}
        for kk,(bs,_) in fb.items():
            if bs==s and kk in fo: s2=fo[kk][0]; break
        for r in res:
            if r[0]!='raw' and r[1]==s2: r[2]=sorted(r[2]+[n],key=key); break
        else:
            empty=[i for i,r in enumerate(res) if r[0]!='raw' and not r[2]]
            if empty: res[empty[0]]=['import',s2,[n]]
            else: res.append(['import',s2,[n]])
    out=''
    for k,s,ns in res:
        if k=='raw': out+=s; continue
        if not ns: continue
        if all(n.startswith('type ') for n in ns): out+=f"{k} type {{ {', '.join(n[5:] for n in ns)} }} from '{s}';\n"
        else: out+=f"{k} {{ {', '.join(ns)} }} from '{s}';\n"
    return out
files=subprocess.run(['git','diff','--name-only','--diff-filter=U'],capture_output=True,text=True).stdout.split()
left=0
for f in files:
    try: s=open(f).read()
    except FileNotFoundError: print('GONE',f); left+=1; continue
    def r(mm):
        global left
        out=merge(mm.group(2),mm.group(1),mm.group(3))
        if out is None: left+=1; print('HAND',f); print(mm.group(0)[:1500]); return mm.group(0)
        return out
    t=re.sub(r"<<<<<<< [^\n]*\n(.*?)\|\|\|\|\|\|\| [^\n]*\n(.*?)=======\n(.*?)>>>>>>> [^\n]*\n",r,s,flags=re.S)
    open(f,'w').write(t)
    if '<<<<<<<' not in t: subprocess.run(['git','add',f])
print('files',len(files),'left',left)
