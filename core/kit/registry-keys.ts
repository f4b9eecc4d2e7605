/**
 * The public keys whose registries every installation trusts. The maintainers of Renown have the private keys. To replace
 * a key, add the new one in one release and remove the old one in a later release.
 */
export const releaseRegistryKeys: readonly string[] = ['7dWyG3Pkh1pXPCHyzSqMUMSojBh4OHb-TCEpoXJv3Q0']
