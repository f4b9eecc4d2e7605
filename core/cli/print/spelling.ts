import { resolve } from 'node:path'

/** How commands must be written to work in the reader's shell. */
export interface Spelling {
  /** Whether npx started Bun, which is then not on the path. */
  readonly byNpx: boolean
  /** The data folder in use. */
  readonly dataDir: string
}

/**
 * Returns a function that adapts the commands in a text: with npx if Bun is not on the path, and with the
 * data folder if it is not the default.
 */
export function createSpelling({ byNpx, dataDir }: Spelling): (text: string) => string {
  const folder = resolve(dataDir)
  const setting = folder === resolve('data') ? '' : `RENOWN_DATA_DIR=${quoted(folder)} `
  const bun = byNpx ? `npx bun@${Bun.version}` : 'bun'
  return (text) => text.replaceAll(/\bbun (?=renown |start\b)/g, `${setting}${bun} `)
}

const quoted = (path: string) => (/^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
