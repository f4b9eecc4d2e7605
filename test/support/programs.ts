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
  const folders = [
    ...machines.flatMap((name) => [`usr/lib/${name}`, `usr/lib/${name}/varnish`, `lib/${name}`]),
    'usr/lib/syslog-ng',
  ]
  return {
    PATH: process.env.PATH ?? '',
    ...(root && { LD_LIBRARY_PATH: folders.map((folder) => join(root, folder)).join(':') }),
  }
}

/**
 * A port that was free a moment ago, for programs that cannot choose one themselves. It is below the ports that systems give to connections
 * and to servers that ask for any port, so that no other test takes it before the program does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 20_000)
    try {
      await Bun.serve({ hostname: '127.0.0.1', port, fetch: () => new Response() }).stop(true)
      return port
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    }
  }
}
