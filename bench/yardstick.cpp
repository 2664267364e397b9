// Hand-written exhaustive baseline for the pivot games: plain depth-first search over bitboards with an
// exact visited set, no pruning. It is the yardstick for speed and a second oracle for verdicts.
// usage: yardstick READING [LIMIT] < decks   (a deck a line, 52 cards as 7S or 10S) -> "verdict states" a line
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <string>
#include <vector>
#include <iostream>
#include <sstream>
#include <chrono>
typedef uint64_t u64;
struct Reading { const char* name; int pivot; bool reform, exact; int redeals; bool up; int pack_max; bool fw, fp, ft, obliged; };
static const Reading READINGS[] = {
  {"perno",10,true,false,2,false,1,false,false,false},
  {"perno-tens",10,true,true,2,false,1,false,false,false},
  {"perno-obliged",10,true,false,2,false,1,false,false,false,true},
  {"perno-packed",10,true,false,2,false,13,true,false,false},
  {"eagle-wing",13,false,false,2,true,1,false,false,false},
  {"eagle-wing-packed",13,false,false,2,true,3,true,true,true},
};
static Reading R;
static const u64 ALL=(1ull<<52)-1;
static int step_[52],suit_[52],pos_[4][14];
static inline int hi(u64 x){return 63-__builtin_clzll(x);} static inline int lo(u64 x){return __builtin_ctzll(x);}
static inline int pop(u64 x){return __builtin_popcountll(x);}
static inline u64 below(int p){return (1ull<<p)-1;}
struct St{u64 T,P,K,O;uint8_t f[4],ptr,rd;};
struct Key{u64 a,b,c;bool operator==(const Key&o)const{return a==o.a&&b==o.b&&c==o.c;}};
static Key key(const St&s){return {s.T|(u64)s.ptr<<52|(u64)s.rd<<58|(u64)s.f[2]<<60,s.P|(u64)s.f[0]<<52|(u64)s.f[1]<<56|(u64)s.f[3]<<60,s.K};}
struct Table{std::vector<Key>k;std::vector<uint32_t>g;u64 mask;size_t n=0;uint32_t gen=1;
  Table(){k.resize(1<<12);g.assign(1<<12,0);mask=(1<<12)-1;}
  static u64 h(const Key&x){u64 z=x.a*0x9E3779B97F4A7C15ull^(x.b+0x7F4A7C15ull)*0xC2B2AE3D27D4EB4Full^(x.c+0x165667B1ull)*0xD6E8FEB86659FD93ull;z^=z>>29;z*=0xBF58476D1CE4E5B9ull;return z^z>>32;}
  void clear(){gen++;n=0;}
  bool insert(const Key&x){if(n*2>k.size())grow();u64 i=h(x)&mask;while(g[i]==gen){if(k[i]==x)return false;i=(i+1)&mask;}k[i]=x;g[i]=gen;n++;return true;}
  void grow(){auto ok=std::move(k);auto og=std::move(g);size_t s=ok.size()*2;k.assign(s,Key());g.assign(s,0);mask=s-1;uint32_t o=gen;gen=1;n=0;for(size_t i=0;i<ok.size();i++)if(og[i]==o)insert(ok[i]);}
} tab;
static u64 rest(const St&s){return ALL&~(s.T|s.P|s.O);}
static int piles(const St&s){return pop(s.T)-pop(s.K);}
static void settle(St&s){for(;;){
  if(!s.P&&R.reform){u64 st=rest(s)&~below(s.ptr);if(st&&(!R.exact||pop(st)>=10)){u64 m=0;for(int c=0;st&&c<10;c++){u64 b=st&-st;m|=b;st^=b;}s.P=m;s.ptr=hi(m)+1;}}
  if(piles(s)<8&&s.P){u64 b=1ull<<hi(s.P);s.P^=b;s.T|=b;continue;}
  return;}}
static bool covered(const St&s,int p){int t=step_[p];if(!t)return false;u64 b=1ull<<pos_[suit_[p]][t-1];return (s.T&b)&&(s.K&b);}
static bool packable(const St&s,int p){int q=suit_[p],t=step_[p]+1;if(t>12)return false;int n=pos_[q][t];if(!(s.T>>n&1)||covered(s,n))return false;
  int len=1;while(s.K>>n&1){n=pos_[q][++t];len++;}return len<R.pack_max;}
static std::vector<St> stk;
static inline void push(St s){u64 st=rest(s)&~below(s.ptr);s.ptr=st?lo(st):52;if(tab.insert(key(s)))stk.push_back(s);}
static int solve(St s0,u64 limit){tab.clear();stk.clear();settle(s0);push(s0);
  while(!stk.empty()){St s=stk.back();stk.pop_back();if(s.O==ALL)return 1;if(limit&&tab.n>limit)return 2;
    u64 r=rest(s),w=r&below(s.ptr),st=r&~below(s.ptr);int wt=w?hi(w):-1;bool one=s.P&&!(s.P&(s.P-1));int pl=one?lo(s.P):-1;bool gap=!s.P&&piles(s)<8;
    bool must=false;if(R.obliged)for(int q=0;q<4;q++)if(s.f[q]<13){int p=pos_[q][s.f[q]];must|=p==wt||p==pl||(s.T>>p&1&&!covered(s,p));}
    if(must){}else if(st){St t=s;t.ptr=lo(st)+1;push(t);}else if(w&&s.rd){St t=s;t.rd--;t.ptr=0;settle(t);push(t);}
    if(gap&&wt>=0){St t=s;t.T|=1ull<<wt;push(t);}
    if(gap&&R.ft){for(u64 m=s.K;m;m&=m-1){int p=lo(m);if(!covered(s,p)){St t=s;t.K&=~(1ull<<p);push(t);}}}
    for(int q=0;q<4;q++){if(s.f[q]==13)continue;int p=pos_[q][s.f[q]];u64 b=1ull<<p;St t=s;t.f[q]++;t.O|=b;
      if(p==wt){push(t);}else if(p==pl){t.P=0;settle(t);push(t);}else if(s.T&b){t.T&=~b;t.K&=~b;settle(t);push(t);}}
    if(R.pack_max>1){
      if(R.fw&&wt>=0&&packable(s,wt)){St t=s;t.T|=1ull<<wt;t.K|=1ull<<wt;push(t);}
      if(R.fp&&pl>=0&&packable(s,pl)){St t=s;t.P=0;t.T|=1ull<<pl;t.K|=1ull<<pl;settle(t);push(t);}
      if(R.ft)for(u64 m=s.T&~s.K;m;m&=m-1){int p=lo(m);if(!covered(s,p)&&packable(s,p)){St t=s;t.K|=1ull<<p;settle(t);push(t);}}
    }
  }
  return 0;}
int main(int c,char**v){R.name=0;for(auto&x:READINGS)if(c>1&&!strcmp(x.name,v[1]))R=x;if(!R.name){fprintf(stderr,"unknown reading\n");return 2;}
  u64 limit=c>2?strtoull(v[2],0,10):0;std::string line;const char*RK="A23456789TJQK",*SU="CDHS";double total=0;u64 states=0;int n=0,won=0;
  while(std::getline(std::cin,line)){std::istringstream in(line);std::string t;int rk[52],i=0;while(in>>t&&i<52){if(t.size()==3)t="T"+t.substr(2);rk[i]=strchr(RK,t[0])-RK;suit_[i]=strchr(SU,t[1])-SU;i++;}
    if(i!=52)continue;auto t0=std::chrono::steady_clock::now();int b=R.pivot+8;for(i=0;i<52;i++){step_[i]=((R.up?rk[i]-rk[b]:rk[b]-rk[i])+13)%13;pos_[suit_[i]][step_[i]]=i;}
    St s;memset(&s,0,sizeof s);s.P=below(R.pivot);s.T=below(b)&~s.P;s.O=1ull<<b;s.f[suit_[b]]=1;s.ptr=b+1;s.rd=R.redeals;
    int r=solve(s,limit);total+=std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count();states+=tab.n;n++;won+=r==1;
    printf("%s %llu\n",r==1?"won":r==2?"unknown":"lost",(unsigned long long)tab.n);fflush(stdout);}
  fprintf(stderr,"%s: %d deals, %d won, %.3f s, %.1f deals/s, %.0f states/deal, %.2f M states/s\n",R.name,n,won,total,n/total,(double)states/n,states/total/1e6);}
