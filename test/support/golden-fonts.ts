import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dir, '../e2e/golden')

/** Whether pictures are written anew instead of compared. */
export const isWriting = process.env.RENOWN_GOLDEN === 'write'

/** The fonts that decide what letters look like; golden pictures hold for a machine that has the same. */
export function fontsHere(): string {
  const wanted = ['system-ui', 'monospace', 'system-ui:lang=ar', 'system-ui:lang=he', 'system-ui:lang=ja']
  return wanted.map((name) => `${name}: ${fontOf(name)}`).join('\n')
}

function fontOf(name: string): string {
  const found = Bun.which('fc-match') ? Bun.spawnSync(['fc-match', name, 'file']) : null
  return found?.stdout.toString().trim().split('/').at(-1) ?? 'unknown'
}

const fontsFile = join(folder, 'fonts.txt')
export const hasGoldenFonts = (): boolean =>
  existsSync(fontsFile) && readFileSync(fontsFile, 'utf8').trim() === fontsHere()
export const writeFonts = (): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fontsFile, `${fontsHere()}\n`)
}
