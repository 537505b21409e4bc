// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checker/symbolic/variables.h"

#include <algorithm>

namespace checker::smt {

using z3::expr;

Variables copiesOf(const Variables &variables, FreshVariables &fresh) {
  Variables copies;
  copies.reserve(variables.size());
  for (const expr &variable : variables)
    copies.push_back(variable.is_bool()
                         ? fresh.boolean()
                         : fresh.bits(variable.get_sort().bv_size()));
  return copies;
}

void addMissing(Variables &to, const Variables &from) {
  for (const expr &each : from)
    if (std::none_of(to.begin(), to.end(),
                     [&](const expr &e) { return z3::eq(e, each); }))
      to.push_back(each);
}

expr substituted(const expr &term, const Variables &from, const Variables &to) {
  if (from.empty())
    return term;
  z3::expr_vector source(term.ctx());
  z3::expr_vector target(term.ctx());
  for (const expr &variable : from)
    source.push_back(variable);
  for (const expr &replacement : to)
    target.push_back(replacement);
  return expr(term).substitute(source, target);
}

Term substituted(const Term &term, const Variables &from, const Variables &to) {
  return {substituted(term.bits, from, to), substituted(term.poison, from, to)};
}

expr zeroOf(const expr &variable) {
  return variable.is_bool()
             ? variable.ctx().bool_val(false)
             : variable.ctx().bv_val(0, variable.get_sort().bv_size());
}

} // namespace checker::smt
