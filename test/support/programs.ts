import { join } from 'node:path'

/** Where `.ci/test-programs` unpacks what the machine does not have. */
const unpacked = join(import.meta.dir, '../../node_modules/.cache/test-programs')

/** Where a program is, `/usr/sbin` and what was unpacked included; null where the machine has none. */
export const findProgram = (name: string): string | null =>
  Bun.which(name, {
    PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin:${unpacked}/usr/bin:${unpacked}/usr/sbin`,
  })

/** The folder a program's own files stand under: empty for one of the system. */
export const rootOf = (program: string): string => (program.startsWith(unpacked) ? unpacked : '')

/** The environment in which an unpacked program finds its libraries. */
export function environmentOf(program: string): Record<string, string> {
  const root = rootOf(program)
  const machines = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  const folders = [...machines.flatMap((name) => [`usr/lib/${name}`, `lib/${name}`]), 'usr/lib/syslog-ng']
  return {
    PATH: process.env.PATH ?? '',
    ...(root && { LD_LIBRARY_PATH: folders.map((folder) => join(root, folder)).join(':') }),
  }
}

/** A port that was free a moment ago, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const port = server.port as number
  await server.stop(true)
  return port
}
