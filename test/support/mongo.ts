/** The MongoDB to test against, each file in a database of its own; says loudly when there is none. */
export function mongoUri(): string | undefined {
  const base = process.env.RENOWN_TEST_MONGODB_URI
  if (!base) {
    console.warn(
      '\n!!! RENOWN_TEST_MONGODB_URI is not set: the MongoDB adapter is NOT exercised by this run.\n',
    )
    return undefined
  }
  const url = new URL(base)
  url.pathname = `/renown_${crypto.randomUUID().slice(0, 8)}`
  return url.href
}
