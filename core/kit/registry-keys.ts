/**
 * The public keys whose registries every installation trusts. None so far: this release has no mirror of its own, so
 * `RENOWN_REGISTRY_KEYS` names the keys. To add one later, put it here in a release; to replace it, add the new key in one
 * release and remove the old one in a later release.
 */
export const releaseRegistryKeys: readonly string[] = []
