// SPDX-License-Identifier: MIT
// The keys of a point's context; comparison/ knows them too.
#include "msgring/tree/builder.hpp"

namespace msgring::tree {

std::map<std::string, std::string> identity_facts(const BuildIdentity& identity) {
  return {{"boot.revision", identity.revision},
          {"boot.commit", identity.commit},
          {"boot.commit_subject", identity.subject},
          {"boot.source_tree", identity.source},
          {"boot.dirty", identity.dirty},
          {"boot.patch_sha256", identity.patch_sha256},
          {"boot.config_sha256", identity.config_sha256},
          {"boot.compiler", identity.compiler},
          {"boot.build_id", identity.build_id},
          {"boot.image_sha256", identity.image_sha256}};
}

}  // namespace msgring::tree
