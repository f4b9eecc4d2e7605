/** Where a program is, `/usr/sbin` included; null where the machine has none. */
export const findProgram = (name: string): string | null =>
  Bun.which(name, { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` })

/** A port that was free a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const port = server.port as number
  await server.stop(true)
  return port
}

/** Says in a way nobody overlooks that a part of the run did not take place. */
export function skipLoudly(what: string, missing: readonly string[]): void {
  console.warn(`\n!! SKIPPED: ${what}: this machine has no ${missing.join(', no ')}\n`)
}
