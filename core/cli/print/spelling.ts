import { resolve } from 'node:path'

/** How the commands that Renown prints must be spelt to work where they are read. */
export interface Spelling {
  /** Bun came by npx and is on nobody's path. */
  readonly byNpx: boolean
  /** The data folder in use. */
  readonly dataDir: string
}

/** Returns what spells the commands in a text: by npx where Bun is not on the path, with the data folder where it is not the default. */
export function createSpelling({ byNpx, dataDir }: Spelling): (text: string) => string {
  const folder = resolve(dataDir)
  const setting = folder === resolve('data') ? '' : `RENOWN_DATA_DIR=${quoted(folder)} `
  const bun = byNpx ? `npx bun@${Bun.version}` : 'bun'
  return (text) => text.replaceAll(/\bbun (?=renown |start\b)/g, `${setting}${bun} `)
}

const quoted = (path: string) => (/^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
