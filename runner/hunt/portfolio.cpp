// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runner/hunt/portfolio.h"

#include "enumerate/cfg.h"
#include "enumerate/folds.h"
#include "enumerate/spec.h"
#include "enumerate/vocabulary.h"

#include <algorithm>
#include <bit>

namespace runner {
namespace {

/// Passes do more to integers that a target has.
constexpr std::string_view native = "n2:4:8:16:32:64";

/// No features.
constexpr std::uint8_t none = straightLine;
constexpr std::uint8_t inLoops = branches | loops;

// Of those that one slice does not end, the first are tried first.
constexpr HuntSpace spaces[] = {
    {"i1x2", 114'969, "all pairs of i1 instructions: overflow at once", 2},
    {"i2x2", 203'557, "all pairs: every peephole of two instructions", 1},
    {"folds:i4", 574'061, "all that is near what InstCombine rewrites", 17},
    {"folds:i4:straight", 144'601, "and what other passes do in straight lines",
     200},
    {"folds:i4:branches", 237'570, "what is near what passes do to branches",
     200},
    {"folds:i4:loops", 242'676, "the same of loops", 1900},
    {"folds:i4:modern", 15'307, "the same with newer flags", 200},
    {"folds:i4:branches-native", 12'199,
     "the same of branches that become tables", 100, native},
    {"folds:i4:loops-native", 40'498, "and of loops whose counters are widened",
     500, native},
    {"folds:i8:memory", 177'985, "what is near what passes do to memory",
     15000},
    {"folds:i8:memory-branches", 199'038, "the same in branches", 15000},
    {"folds:i8:memory-loops", 229'390, "the same in loops", 60000},
    {"i1x1:blocks=3", 24'475, "all conditional jumps around one instruction",
     18},
    {"i2x1:blocks=3,loops", 121'470, "all smallest loops", 20},
    {"i1x1:blocks=4", 601'610, "all diamonds: speculation, threading", 5},
    {"i1x1:blocks=4,calls,args=2", 462'850, "effects in branches", 4},
    {"i2x1:blocks=4,undef,args=1", 169'319, "undef in phis", 5},
    {"i1x1:blocks=4,loops,args=1", 3'365'649, "loops in loops", 5},
    {"i3x2", 605'869, "all pairs of i3 instructions: other constants", 3},
    {"i4x2", 2'238'781, "constants that are not 0, 1, -1, INT_MIN", 3},
    {"i8x2:args=1", 2'089'440'753, "constants of every byte", 5},
    {"i2x2:modern", 274'425, "disjoint, nneg, samesign, trunc nuw nsw", 1},
    {"i2x2:minmax", 247'611, "smin smax umin umax abs", 4},
    {"i2x2:bits,sat,funnel,overflow,args=2", 656'226,
     "what saturates, overflows, is rotated and counted", 10},
    {"i2x2:cmp,args=2", 217'154, "three-way comparisons", 10},
    {"i2x2:types=1+2+4", 2'481'950, "casts between three widths", 2},
    {"i2x2:undef,poison,args=2", 431'432, "undef and poison beside values", 12},
    {"i2x2:modern,undef,args=2", 401'195, "undef beside the newer flags", 20},
    {"i3x2:minmax,bits,sat,funnel,overflow,args=2", 2'907'042,
     "every intrinsic, of a width that is no power of two", 20},
    {"i3x3:ops=mul+shl+srem,args=1", 5'366'169,
     "products by constants, and what they leave of each other", 3},
    {"i3x3:ops=fshl+fshr+icmp,consts=none,args=4", 270'960,
     "rotations and shifts of pairs, compared", 30},
    {"i2x3:calls,args=2,consts=two", 37'639'304,
     "values that a call takes, too", 30},
    {"i2x3:ops=urem+srem+udiv+sdiv+mul+sub,calls,args=2,consts=none", 276'883,
     "quotients, remainders, and what calls take of them", 23},
    {"i2x3:ops=urem+srem+udiv+sdiv+select,args=4,consts=none", 70'775,
     "and one of two of them", 5},
    {"i2x3:calls,ops=add+sub+mul+sadd.with.overflow+uadd.with.overflow+"
     "ssub.with.overflow+usub.with.overflow+smul.with.overflow+"
     "umul.with.overflow,args=2,consts=none",
     767'915, "the same of sums, products and their overflow", 50},
    {"i4x3:ops=ctpop+ctlz+cttz+icmp+and+or+sub,args=1", 28'569'973,
     "counted bits, compared", 27},
    {"i4x3:ops=uadd.sat+usub.sat+sadd.sat+ssub.sat+add+sub+icmp,args=2,"
     "consts=few",
     7'444'800, "sums that saturate, compared", 21},
    {"i2x3:ops=smin+smax+umin+umax+icmp+select+sub,args=2,consts=none", 140'200,
     "minima and maxima, compared", 23},
    {"i4x4:ops=zext+sext+trunc+lshr+shl+icmp,types=1+2+4,args=1,consts=two",
     47'091'876, "casts of casts", 23},
    {"i2x4:ops=icmp+and+or+select,args=3,consts=none", 16'768'136,
     "logic of comparisons", 40},
    {"i4x3:types=1+2+4,args=2,consts=two", 71'697'024,
     "casts between three native widths", 5, native},
    {"i4x3", 3'378'728'457, "three instructions, and constants of each kind",
     3},
    {"i2x3", 126'284'145, "three instructions over i2", 2},
    {"i1x3", 84'693'474, "three instructions over i1", 1},
    {"i3x3:args=2,ops=add+sub+mul+shl+srem+sdiv+select+icmp", 210'481'403,
     "arithmetic with and without a sign", 2},
    {"i3x2:idioms,args=2,consts=few", 6'328'962,
     "pairs of patterns of a few instructions", 14},
    {"i3x3:idioms,args=2,consts=none", 258'359'723,
     "three patterns of a few instructions", 17},
    {"i3x3:minmax,bits,sat,funnel,idioms,args=2,consts=none", 379'859'327,
     "patterns and intrinsics", 16},
    {"i4x3:idioms,args=1,consts=few", 12'535'486'683,
     "patterns of one argument, and constants", 12},
    {"i2x4:idioms,args=2,consts=none", 557'519'345'171,
     "four patterns of a few instructions", 20},
    {"folds:i6", 902'985, "the same of a width that is no power of two", 250},
    {"i3x3:conditions,ops=and+or+xor+icmp+select+zext+sext,args=2,consts=none",
     11'907'419, "three patterns of conditions", 12},
    {"i4x2:conditions,ops=and+or+xor+icmp+select+zext+sext,args=2,consts=few",
     1'293'107, "pairs of patterns of conditions, and constants", 8},
    {"i2x3:conditions,ops=add+and+or+xor+scmp+ucmp,args=2,consts=none",
     12'926'451, "patterns of conditions, and three-way comparisons", 10},
    {"i4x3:conditions,ops=lshr+ashr+icmp+select,args=1,consts=two", 101'036'304,
     "patterns of conditions, and shifts", 10},
    {"i3x3:masks,ops=add+sub+mul+shl+lshr+ashr+and+or+xor+icmp,args=1,consts="
     "none",
     24'846'930, "three patterns of masks", 12},
    {"i4x2:masks,ops=add+sub+shl+lshr+ashr+and+or+xor,args=1,consts=few",
     4'381'062, "pairs of patterns of masks, and constants", 5},
    {"i4x3:masks,ops=lshr+icmp+zext+sext+trunc,types=1+2+4,args=1,consts=two",
     1'186'424'334, "patterns of masks, and casts", 10},
    {"i2x3:idioms,undef,args=2,consts=none", 1'363'266'301, "undef in patterns",
     40},
    {"i2x3:idioms,calls,args=2,consts=none", 262'529'967,
     "patterns that a call takes values from", 25},
    {"i2x2:assume,idioms,args=2,consts=none", 208'080,
     "patterns, and what is assumed", 15},
    {"i2x2:ops=icmp+select,pairs,args=4,consts=none", 2'973'696,
     "conditions and choices, twice", 300},
    {"i2x3:ops=icmp+select,pairs,args=4,consts=two", 13'891'106'365'974,
     "more of them", 300},
    {"i2x2:pairs,args=2,consts=two", 41'186'723'424,
     "two instructions, twice: what becomes one of vectors", 300},
    {"i2x3:ops=add+sub+mul+shl+and+or+icmp,pairs,consts=two",
     358'702'944'000'000, "three of arithmetic, twice", 400},
    {"i2x2:assume,args=2", 199'551, "what is assumed", 2},
    {"i2x3:ops=assume+icmp+phi,graph=diamond,args=2,consts=two", 1'207'304,
     "what one side of a branch assumes", 5},
    {"i2x3:blocks=3,args=2", 17'486'205'286,
     "arithmetic in and behind a branch", 4},
    {"i2x4:ops=add+mul+select,consts=none", 13'435'298,
     "sums and products, one of them in an arm", 1},
    {"i2x4:ops=sub+icmp+select,args=2,consts=none", 4'338'270,
     "differences, and which of them", 5},
    {"i4x4:args=1,consts=few", 41'997'589'276, "four instructions", 34},
    {"i2x5:ops=icmp+select+or,args=3,consts=none", 1'951'432'326,
     "five, of logic and comparisons", 66},
    {"i2x3:ops=add+xor+uadd.with.overflow+sadd.with.overflow,args=2,"
     "consts=none",
     38'424, "sums, and whether they overflow", 40},
    {"i1x3:ops=add+xor+sadd.with.overflow+uadd.with.overflow,args=2,"
     "consts=none",
     78'534, "the same of i1, where both are of one type", 40},
    {"i4x3:ops=icmp+select+sadd.with.overflow+uadd.with.overflow+"
     "ssub.with.overflow+usub.with.overflow,args=2,consts=two",
     2'368'116, "what is chosen where a sum overflows", 12},
    {"i1x3:ops=select+freeze+phi,graph=thread,args=2", 970'383'612,
     "poison through select, freeze and phi: threading", 6},
    {"i2x4:ops=icmp+select+phi,graph=if,args=2,consts=two", 6'141'631'719,
     "threading over comparisons", 18},
    {"i2x3:ops=icmp+select+phi,frozen,graph=thread,args=2,consts=two",
     2'349'936'681,
     "threading over selects, with conditions that may be poison", 13},
    {"i2x2:ops=icmp+phi,blocks=4,switch,args=2", 5'539'255'016, "switches", 1},
    {"i1x2:ops=xor,blocks=4,switch", 22'802'232,
     "the same value on some of three ways", 20},
    {"i2x1:ops=phi,graph=table,args=1", 2'536, "switches as tables", 15,
     native},
    {"i4x1:ops=phi,graph=table,args=1", 46'770'080, "and larger ones", 15,
     native},
    {"i4x2:ops=icmp+phi,graph=table,args=1", 16'384'524'800,
     "and comparisons of what is in them", 18, native},
    {"i4x1:ops=phi,graph=lookup,args=1", 2'584'163'400,
     "tables of four, with gaps", 15, native},
    {"i2x2:ops=icmp+phi,blocks=3,switch,args=2", 8'376'680,
     "small switches, and what is compared again", 2},
    {"i1x1:blocks=4,unreachable,args=2", 570'798, "ends that are not reached",
     9},
    {"i2x2:ops=icmp+phi,graph=chain,args=2", 7'906'700,
     "a switch behind a switch", 2},
    {"i2x1:blocks=3,switch,unreachable,args=2", 1'474'990,
     "and those of a switch", 9},
    {"i2x2:ops=icmp+phi,blocks=4,args=1", 7'730'904,
     "a value that is compared again and again", 2},
    {"i2x2:blocks=3,args=2", 17'051'328, "two instructions on two sides", 4},
    {"i2x3:ops=add+lshr+phi,graph=diamond,args=2,consts=none", 16'524,
     "the same instruction on both sides, with other flags", 4},
    {"i2x3:ops=add+shl+lshr+phi,graph=diamond,args=2,consts=two", 1'648'020,
     "and more of them, and constants", 4},
    {"i1x2:blocks=4,args=2", 742'540'415, "two instructions in a diamond", 3},
    {"i2x2:ops=add+udiv+icmp,blocks=4,args=2,consts=two", 13'301'640,
     "what one branch guards, and the one behind it", 4},
    {"i2x2:undef,poison,graph=if,args=2,consts=two", 2'239'209,
     "undef and poison beside a condition", 50},
    {"i2x2:modern,minmax,graph=if,args=2,consts=two", 1'144'143,
     "what a condition says of minima, and the newer flags", 13},
    {"i2x3:idioms,graph=if,args=2,consts=none", 955'957'278,
     "patterns beside a condition", 18},
    {"i3x2:conditions,graph=diamond,args=2,consts=none", 465'325,
     "patterns of conditions in branches", 6},
    {"i3x2:conditions,ops=icmp+select+phi,graph=if,args=2,consts=few",
     21'454'270, "patterns of conditions in branches, constants and phis", 6},
    {"i2x3:conditions,ops=icmp+phi,graph=diamond,args=2,consts=none",
     123'039'737, "three patterns of conditions in branches", 8},
    {"i64x2:ops=add+sub+icmp,graph=if,consts=few,args=1", 115'020,
     "comparisons at the ends of i64", 2000},
    {"i2x3:ops=add+udiv+phi,graph=if,calls,args=2,consts=two", 576'310,
     "what one side computes, again behind it", 46},
    {"i2x4:ops=udiv,graph=if,calls,consts=none", 436'332,
     "divisions behind calls that may not return", 200},
    {"i4x3:ops=add+zext+sext+trunc+phi,types=1+2+4,graph=diamond,args=2,"
     "consts=two",
     411'628, "casts on two sides, between native integers", 70, native},
    {"i2x2:recurrences,graph=loop,args=1,consts=two", 1'513'230,
     "what a value becomes in a loop, and one instruction on it", 100},
    {"i2x3:recurrences,graph=loop,args=2,consts=two", 3'479'799'458, "and two",
     170},
    {"i3x2:recurrences,graph=loop,args=2,consts=few", 11'514'994,
     "the same of i3", 150},
    {"i2x3:recurrences,graph=while,args=1,consts=two", 1'245'870'001,
     "the same of a loop of two blocks", 200},
    {"i2x3:recurrences,graph=loop,calls,args=1,consts=two", 1'337'241'350,
     "the same around a call", 150},
    {"i2x3:recurrences,ops=add+sub+shl+icmp+zext+sext+trunc,types=1+2+4,"
     "graph=loop,args=1,consts=two",
     424'012'357, "the same of casts between native integers", 150, native},
    {"i2x4:recurrences,ops=add+sub+mul+zext+sext,types=1+2+4,graph=loop,args=1,"
     "consts=two",
     1'440'756'096, "what is computed of a counter, and extended", 60, native},
    {"i2x4:recurrences,ops=and+or+xor+zext+sext,types=1+2+4,graph=loop,args=1,"
     "consts=two",
     361'947'969, "and its bits", 60, native},
    {"i2x4:recurrences,ops=add+icmp+sext,types=1+2+4,graph=while,args=1,"
     "consts=none",
     96'877'490, "the same behind a comparison of the counter", 130, native},
    {"i2x3:recurrences,ops=and+icmp+trunc,types=1+2+4,graph=loop,args=1,"
     "consts=two",
     10'376'819, "counters that are cut off and compared", 80, native},
    {"i2x3:sat,overflow,recurrences,graph=loop,args=1,consts=two",
     3'523'366'351, "what saturates and overflows in a loop", 60},
    {"i2x2:blocks=4,loops,calls=willreturn", 16'992'912'318,
     "code motion around calls", 160},
    {"i1x1:blocks=5,loops", 3'491'679'457,
     "nested loops with an exit: unswitching", 100},
    {"i1x2:blocks=4,loops,args=2", 34'073'507'326,
     "phis and conditions of loops", 40},
    {"i2x3:blocks=3,loops,args=2", 70'522'732'470, "induction variables", 910},
    {"i2x4:ops=and+icmp+shl+phi,graph=loop,args=1,consts=two", 2'561'088'009,
     "a loop that shifts, and one that counts by it", 20},
    {"i2x3:ops=add+icmp+phi,graph=while,args=2,consts=two", 28'656'466,
     "a loop that counts up to a bound", 100},
    {"i2x3:modern,ops=add+icmp+phi,graph=loop,consts=two,args=2", 81'841'854,
     "a loop that compares its counter with samesign", 150},
    {"i2x2:undef,graph=loop,args=1,consts=two", 1'268'089, "undef in a loop",
     80},
    {"i2x3:idioms,graph=loop,args=1,consts=none", 321'414'219,
     "patterns in a loop", 60},
    {"i2x2:ops=icmp+phi,graph=dispatch,args=2,consts=two", 756'990,
     "a switch in a loop", 90},
    {"i2x3:ops=add+zext+sext+phi,types=1+2+4,graph=loop,args=1,consts=two",
     289'468, "a counter that is extended", 140, native},
    {"i2x4:ops=add+icmp+sext+phi,types=1+2+4,graph=loop,args=1,consts=two",
     3'421'457'512, "and compared", 150, native},
    {"i2x4:ops=add+icmp+phi,graph=loop,calls,args=1,consts=two", 1'820'396'140,
     "a loop that counts, with an effect in it", 100, native},
    {"i2x3:ops=add+mul+phi,graph=loop,args=2,consts=none", 117'702,
     "products of what a loop leaves alone", 90},
    {"i2x3:ops=add+udiv+phi,graph=loop,args=2,consts=none", 55'590,
     "divisions that a loop repeats", 60},
    {"i2x3:ops=add+sub+icmp+phi,graph=loop,args=1,consts=two", 24'324'200,
     "sums in a loop, compared", 50},
    {"i2x4:ops=icmp+and+phi,graph=loop,args=2,consts=none", 31'259'548,
     "two comparisons in a loop", 200},
    {"i8x3:mem=a1+p1,align,consts=two,poison,args=2", 36'096,
     "an alloca and an argument: loads and stores, aligned or not", 5},
    {"i8x2:mem=a1+p1,align,graph=if,consts=two,poison,args=2", 9'568,
     "accesses that a condition guards", 40},
    {"i8x3:mem=p1+p1,graph=diamond,ptr=phi+select,consts=two,args=2", 61'525,
     "two pointers that may be the same, and one of them", 700},
    {"i8x3:mem=a1+a1,graph=diamond,ptr=phi+select,consts=two,args=2", 61'525,
     "one of two allocas", 60},
    {"i8x4:mem=a2+a2,gep=inbounds,ptr=phi+select,graph=if,consts=none,args=1",
     16'480, "one of two allocas, and what is inside", 1300},
    {"i8x3:mem=p2+p2,access=8+16,gep=inbounds,consts=two,args=2", 14'320,
     "bytes and their halves", 30},
    {"i8x4:mem=a2,access=8+16,gep,consts=two,args=1", 33'022,
     "an alloca that is accessed whole and by halves", 4000},
    {"i8x4:mem=a2+a2,access=8+16,gep,consts=none,args=0", 1'050,
     "copies of halves from alloca to alloca", 1500},
    {"i8x4:mem=a2,access=8+16+2x8,gep,consts=none,args=2", 7'620,
     "an alloca that is an integer and a vector", 2300},
    {"i8x4:mem=a2+a2,access=8+16+2x8,gep,consts=none,args=0", 2'184,
     "copies of vectors from alloca to alloca", 3400},
    {"i8x3:mem=a2,access=8+2x8,gep=inbounds,graph=diamond,ptr=phi+select,"
     "consts=none,args=1",
     686, "a vector behind one of two addresses", 1800},
    {"i8x3:mem=p2,access=8+16+2x8,gep,consts=none,args=1", 321,
     "vectors and their lanes", 2000},
    {"i8x3:mem=a2+a2,intrinsics,access=8+16,calls=argmem,consts=few,args=0",
     1'405'536, "copies of an alloca that a call was given", 1000},
    {"i8x3:mem=a2+p2,intrinsics,gep,consts=two,args=1", 532'810,
     "memcpy memmove memset beside accesses", 500},
    {"i8x3:mem=a1+p1,calls,graph=if,consts=two,args=2", 61'244,
     "accesses around calls", 1600},
    {"i8x2:mem=a1+p1,calls=willreturn,intrinsics,"
     "attrs=noalias+dereferenceable,consts=none,args=0",
     3'222, "copies of what a call writes", 120},
    {"i8x2:mem=a1+p1,calls,intrinsics,attrs=noundef+dereferenceable+noalias+"
     "writable+dead_on_unwind,consts=none,args=0",
     25'146, "the same for results in memory", 110},
    {"i8x3:mem=a1+p1,intrinsics,calls=noalias+readonly+captures,consts=none,"
     "args=0",
     27'405, "copies that a call only reads", 150},
    {"i8x2:mem=p1,calls=align,ptr=icmp,null,consts=two,args=1", 976,
     "what a call says of its arguments", 150},
    {"i8x2:mem=p1,calls=nonnull,ptr=icmp,null,consts=two,args=1", 976,
     "the same for null", 150},
    {"i8x3:mem=p1,assume,ptr=icmp,null,consts=none,args=1", 3'755,
     "what is assumed of pointers", 150},
    {"i8x2:mem=p1,index,ptr=ret,consts=two,args=1", 131,
     "pointers beside what is accessed", 150},
    {"i8x2:mem=p1,gep=nuw,index,ptr=icmp,consts=two,args=0", 316,
     "addresses compared with each other", 150},
    {"i8x3:mem=p1,calls,ptr=phi,null,graph=if,consts=none,args=1", 501,
     "null on one side, and calls in front of accesses", 550},
    {"i8x3:mem=p1,gep,ptr=icmp,null,consts=none,args=1", 666,
     "addresses compared with null", 150},
    {"i8x3:mem=p1,gep=inbounds+nuw,index,ptr=icmp,graph=if,null,consts=none,"
     "args=1",
     536'401, "comparisons of addresses that imply each other", 900},
    {"i8x2:mem=a2+p2+p2,intrinsics,consts=few,args=0", 27'668,
     "copies of copies", 330},
    {"i8x3:mem=a1+a1,lifetime,intrinsics,consts=two,args=1", 295'936,
     "lifetimes of allocas", 18},
    {"i8x3:mem=p1+p1,attrs=noalias+readonly+dereferenceable,consts=two,args=1",
     37'600, "what arguments promise", 220},
    {"i8x3:mem=p1,align,graph=loop,consts=two,args=2", 37'672,
     "accesses in a loop", 290},
    {"i8x3:mem=p2,gep=inbounds,index,graph=loop,consts=none,args=1", 574,
     "addresses that a loop computes", 2500},
    {"i8x4:mem=p2,gep=inbounds,index,graph=loop,consts=none,args=1", 10'639,
     "and addresses from addresses", 4000},
    {"i8x3:mem=p1,ops=load+store+icmp,graph=thread,consts=two,args=1",
     27'668'212, "conditions that are loaded", 300},
    {"i8x3:mem=p1,ops=load+store+icmp,graph=while,consts=two,args=1", 698'730,
     "and those of loops", 8000},
    {"i8x4:mem=p1+p1,graph=while,consts=none,args=1", 4'648,
     "accesses in a loop that may not be entered", 500},
    {"i8x2:mem=p1+p1,ptr=icmp+select+phi+ret,graph=loop,consts=none,args=1",
     15'748, "pointers that compare equal", 500},
    {"i8x2:mem=p1+p1,ptr=icmp+phi+ret,graph=if,consts=none,args=0", 2'560,
     "the same on one side of a branch", 450},
    {"i8x4:mem=p1,calls=read,consts=two,args=1", 8'960,
     "calls that only read, twice", 100},
    {"i8x4:mem=p1+p1,calls=read+value+willreturn,graph=if,consts=none,args=1",
     10'853, "what calls return that only read", 2500},
    {"i8x3:mem=p1,calls=read+value+willreturn,graph=loop,consts=none,args=1",
     696, "the same in a loop", 19000},
    {"i8x3:mem=p1,calls=read+argmem+value+willreturn,graph=loop,consts=none,"
     "args=1",
     696, "and of calls that only read what they are given", 27000},
    {"i8x3:mem=a1,calls,graph=loop,consts=none,args=1", 651,
     "an alloca in a loop with calls", 60000},
    {"i8x2:mem=p1+p1,gep=inbounds,ptr=icmp+select,null,consts=two,args=2",
     2'038, "comparisons of pointers", 300},
    {"v2i2x1:insert,shuffle,index,undef,poison,consts=lanes", 3'005,
     "single instructions, lanes that are undef or poison", 20},
    {"v2i2x1:minmax,bits,sat,funnel,overflow,undef,poison,consts=lanes", 3'966,
     "single intrinsics, lanes that are undef or poison", 20},
    {"v2i2x1:undef,poison,consts=holes", 3'472,
     "single instructions, lanes of constants that are undef or poison", 50},
    {"v2i2x2:minmax,bits,sat,funnel,overflow,consts=few,args=2", 735'178,
     "pairs of intrinsics in lanes", 10},
    {"v2i2x2", 203'557, "pairs over vectors of two lanes", 4},
    {"v2i2x2:shuffle,insert,consts=few,args=2", 544'533, "lanes moved", 30},
    {"v2i2x2:bitcast,reduce,insert,index,consts=lanes,poison,args=2", 2'431'966,
     "vectors as integers, poison in a lane", 5},
    {"v2i2x2:consts=lanes,args=2", 1'621'456,
     "pairs with poison in a lane of a constant", 8},
    {"v2i2x2:modern,bitcast,consts=few,args=2", 266'813,
     "disjoint and nneg in lanes", 3},
    {"v2i2x2:shuffle,undef,consts=few,args=2", 761'478, "casts and lanes moved",
     190},
    {"v2i2x3:insert,consts=two,args=1", 17'379'311, "scalars in lanes", 4},
    {"v2i2x3:ops=shufflevector+add+srem,poison,args=2,consts=none", 8'532'000,
     "operations of lanes moved", 17},
    {"v2i2x3:ops=add+sub+and+or+xor+icmp+select,args=2,consts=lanes",
     533'185'951, "logic and comparisons with poison in a lane of a constant",
     15},
    {"v2i2x3:ops=add+icmp+select,args=2,consts=lanes", 249'880'416,
     "sums, compared and chosen, with poison in a lane", 12},
    {"v2i1x3:ops=and+or+xor+select,args=2,consts=lanes", 21'033'760,
     "logic of conditions with poison in a lane", 8},
    {"v2i2x4:ops=add+xor+icmp+select,args=2,consts=lanes", 241'934'643'325,
     "four, of sums and comparisons, with poison in a lane", 30},
    {"v2i2x2:idioms,args=2,consts=lanes", 337'167'870,
     "pairs of patterns with poison in a lane of a constant", 18},
    {"v2i2x2:conditions,args=2,consts=lanes", 108'094'611,
     "pairs of patterns of conditions with poison in a lane", 18},
    {"v2i2x3:idioms,args=2,consts=lanes", 8'115'520'986'277,
     "three patterns with poison in a lane of a constant", 25},
    {"v2i2x4:ops=add+mul+insertelement+extractelement,undef,args=2,consts=none",
     27'864'496, "vectors made of scalars", 5000},
    {"v2i2x5:ops=extractelement+icmp+shl+and+xor,args=1,consts=none",
     50'033'344, "scalars made of lanes", 30},
};

constexpr HuntPipeline pipelines[] = {
    {"instcombine", straightLine, straightLine, none, 16, 3, "peepholes", 3},
    {"reassociate", straightLine, straightLine, memory, 2, 2,
     "order of sums and products", 0.3},
    {"gvn", straightLine, branches, none, 3, 3,
     "equal values, with branches and loops", 0.2},
    {"newgvn", straightLine, branches, none, 2, 3,
     "equal values, the other way", 0.2},
    {"early-cse", straightLine, straightLine, none, 1, 2,
     "equal values in one walk", 0.1},
    {"instsimplify", straightLine, straightLine, none, 1, 2,
     "folds to what is there", 0.5},
    {"sccp", straightLine, branches, none, 2, 2,
     "constants and ranges over branches", 0.2},
    {"correlated-propagation", straightLine, branches, none, 3, 3,
     "flags from ranges", 0.3},
    {"constraint-elimination", straightLine, branches, none, 2, 2,
     "comparisons implied", 0.3},
    {"nary-reassociate", straightLine, straightLine, memory | vectors, 1, 3,
     "sums shared, by SCEV", 0.1},
    {"aggressive-instcombine", straightLine, straightLine, none, 1, 2,
     "peepholes over more", 0.2},
    {"bdce", straightLine, straightLine, memory, 1, 2,
     "bits that nobody demands", 0.2},
    {"slsr", straightLine, straightLine, memory | vectors, 1, 3,
     "strength of multiplications", 0.1},
    {"div-rem-pairs", straightLine, straightLine, memory | vectors, 1, 1,
     "remainders from quotients", 0.1},
    {"slp-vectorizer", straightLine, twice, none, 1, 3, "scalars to vectors",
     1},
    {"simplifycfg", branches, branches, none, 5, 3,
     "branches and phis to selects", 0.3},
    {"simplifycfg<forward-switch-cond;switch-to-lookup;no-keep-loops;"
     "hoist-common-insts;sink-common-insts>",
     branches, branches, none, 3, 3,
     "the same as late in -O2: what both sides do"},
    {"jump-threading", branches, branches, none, 6, 3,
     "edges past known conditions", 0.3},
    {"flatten-cfg", branches, branches, memory, 1, 2, "two branches to one"},
    {"dfa-jump-threading", branches, inLoops, memory, 1, 2,
     "switches in loops"},
    {"lower-switch", branches, branches, memory, 1, 2, "switches to branches"},
    {"lower-switch,fix-irreducible,unify-loop-exits,structurizecfg", branches,
     inLoops, memory, 1, 10, "branches and switches to regions"},
    {"speculative-execution", branches, branches, none, 1, 2,
     "hoisting out of branches"},
    {"sink", branches, branches, none, 1, 2, "down into branches"},
    {"licm", loops, inLoops, none, 4, 7, "out of loops", 0.2},
    {"indvars", loops, inLoops, none, 4, 9, "induction variables, exits", 0.3},
    {"loop-mssa(simple-loop-unswitch<nontrivial>)", loops, inLoops, none, 4, 14,
     "branches out of loops"},
    {"loop-rotate", loops, inLoops, none, 1, 10, "loops to do-while"},
    {"loop-deletion", loops, inLoops, memory, 1, 7, "loops without a result"},
    {"loop-unroll", loops, inLoops, none, 1, 5, "known trip counts"},
    {"loop-reduce", loops, inLoops, none, 1, 9, "induction variables, anew"},
    {"loop-simplifycfg", loops, inLoops, none, 1, 7, "dead parts of loops"},
    {"loop-vectorize", loops, inLoops, none, 1, 9, "loops to vectors"},
    {"mem2reg", memory, memory, none, 2, 3, "allocas to values"},
    {"sroa", memory, memory, none, 4, 3, "allocas to parts and values"},
    {"early-cse<memssa>", memory, memory, none, 2, 4, "equal values of memory"},
    {"dse", memory, memory, none, 5, 1, "stores that nobody reads"},
    {"memcpyopt", memory, memory, none, 4, 1,
     "memcpy and memset of each other"},
    {"gvn-hoist", memory | branches, memory | branches, none, 1, 5,
     "accesses up"},
    {"gvn-sink", memory | branches, memory | branches, none, 1, 2,
     "accesses down"},
    {"mldst-motion", memory | branches, memory | branches, none, 1, 2,
     "loads up and stores down a diamond"},
    {"loop-load-elim", memory | loops, memory | inLoops, none, 1, 3,
     "loads of what the iteration before stored"},
    {"loop-idiom", loops, inLoops, none, 2, 7,
     "loops to memset, memcpy and counts"},
    {"tailcallelim", memory, memory, none, 1, 3, "calls that need no frame"},
    {"function-attrs", memory, memory, none, 2, 7, "attributes from a body"},
    {"attributor", memory, memory, none, 1, 66,
     "attributes from more than a body"},
    {"attributor-light", memory, memory, none, 1, 55, "the same from less"},
    {"vector-combine", vectors, vectors, none, 5, 2,
     "vector and scalar operations", 0.5},
    {"scalarizer", vectors, vectors, none, 1, 4, "vectors to their lanes"},
    {"default<O2>", straightLine, branches, none, 3, 24,
     "passes in each other's hands", 1},
};

std::uint8_t featuresOfFolds(const enumerate::FoldSpec &spec) {
  std::uint8_t features = folds;
  for (const auto &[theirs, ours] :
       {std::pair{enumerate::foldFeature::branches, branches},
        {enumerate::foldFeature::loops, loops},
        {enumerate::foldFeature::memory, memory}})
    if ((spec.set->features & theirs) != 0)
      features |= ours;
  return spec.type.isVector() ? features | vectors : features;
}

/// Features by which a space is like a pipeline's home or is not. Patterns are
/// not, and vectors in straight lines are for whom straight lines are.
std::uint8_t comparable(const HuntPipeline &pipeline, std::uint8_t features) {
  if ((features & unknown) != 0)
    return pipeline.home;
  const int others =
      patterns | folds | (pipeline.home == straightLine ? vectors : 0);
  return static_cast<std::uint8_t>(features & ~others);
}

} // namespace

std::span<const HuntSpace> huntSpaces() { return spaces; }
std::span<const HuntPipeline> huntPipelines() { return pipelines; }

std::string dataLayoutOf(const HuntSpace &space, const std::string &given) {
  return given.empty() ? std::string(space.dataLayout) : given;
}

std::uint8_t featuresOf(std::string_view spec) {
  if (const auto fold = enumerate::parseFoldSpec(spec); fold && *fold)
    return featuresOfFolds(**fold);
  const auto space = enumerate::parseSpec(spec);
  if (!space)
    return unknown;
  std::uint8_t features = straightLine;
  if (space->hasBranches())
    features |= branches;
  if (space->loops || (space->graph != nullptr && hasCycle(*space->graph)))
    features |= loops;
  if (!space->memory.empty())
    features |= memory;
  if (space->lanes != 0)
    features |= vectors;
  const auto vocabularies = enumerate::vocabularyTable();
  for (std::size_t i = 0; i < vocabularies.size(); ++i)
    if ((space->vocabularies >> i & 1) != 0 && vocabularies[i].idioms != 0)
      features |= patterns;
  if (space->pairs)
    features |= twice;
  return features;
}

HuntPipeline pipelineRow(std::string_view passes) {
  for (const HuntPipeline &row : pipelines)
    if (row.passes == passes)
      return row;
  constexpr double onePass = 3;
  constexpr double manyPasses = 24;
  const bool isLong = passes.find("default<") != std::string_view::npos;
  const double microseconds = isLong ? manyPasses : onePass;
  return {passes, straightLine, straightLine, none,
          1,      microseconds, "",           usualSlice};
}

namespace {

/// What is for branches also looks at memory in straight lines.
bool isNearFoldsOf(const HuntPipeline &pipeline, std::uint8_t features) {
  const unsigned most = (features & memory) != 0 ? 2 : 1;
  return distance(pipeline, features) <= most && (pipeline.home & twice) == 0;
}

} // namespace

bool goTogether(const HuntPipeline &pipeline, std::uint8_t features) {
  return (features & unknown) != 0 ||
         ((features & pipeline.needs) == pipeline.needs &&
          (features & pipeline.ignores) == 0 &&
          ((features & patterns) == 0 || pipeline.patterns != 0) &&
          ((features & folds) == 0 || isNearFoldsOf(pipeline, features)) &&
          ((features & twice) == 0 || (pipeline.home & twice) != 0));
}

unsigned distance(const HuntPipeline &pipeline, std::uint8_t features) {
  return static_cast<unsigned>(std::popcount(
      static_cast<unsigned>(comparable(pipeline, features) ^ pipeline.home)));
}

Cost costOf(const HuntPipeline &pipeline, std::uint8_t features,
            std::string_view spec) {
  constexpr double ofBranches = 2;
  constexpr double ofLoops = 4;
  Cost cost{pipeline.microseconds, 0};
  if ((features & (loops | unknown)) != 0)
    cost.function *= ofLoops;
  else if ((features & branches) != 0)
    cost.function *= ofBranches;
  for (const HuntSpace &row : spaces)
    if (row.spec == spec)
      cost.changed = row.microseconds;
  // Of no line: as of those that are like it.
  constexpr std::pair<unsigned, double> usual[] = {
      {memory, 200}, {loops | unknown, 50}, {branches, 5}, {straightLine, 3}};
  for (const auto &[feature, microseconds] : usual)
    if (cost.changed == 0 &&
        (feature == straightLine || (features & feature) != 0))
      cost.changed = microseconds;
  return cost;
}

double firstSlice(const HuntPipeline &pipeline, std::uint8_t features,
                  const Cost &cost, std::uint64_t functions) {
  // The folds themselves, and some of what is near them. InstCombine, which
  // changes nearly all, ends `folds:i4`.
  constexpr double foldsOfHome = 4;
  constexpr double timesNearFolds = 4;
  const bool isHome = distance(pipeline, features) == 0;
  const auto all = static_cast<double>(functions);
  if ((features & folds) != 0)
    return std::max(isHome ? foldsOfHome : usualSlice,
                    timesNearFolds * pipeline.patterns);
  const bool isRich = (features & (patterns | twice)) != 0 ||
                      (isHome && (features & vectors) != 0);
  const bool endsByThen =
      isHome && cost.seconds(all, usuallyChanged * all) <= pipeline.patterns;
  return isRich || endsByThen ? std::max(usualSlice, pipeline.patterns)
                              : usualSlice;
}

} // namespace runner
