import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesOf, readFiles } from '../../../core/kit/acts/shell-files'
import { readSecretFile } from '../../../core/kit/secret-file'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'renown-secret-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (path: string) => readSecretFile(path, { called: 'one token', isWord: true })

test('returns the only word of a file', () => {
  const path = join(folder, 'token.txt')
  writeFileSync(path, 'token-1\n')
  expect(read(path)).toBe('token-1')
})

test('refuses a pipe at once, because a read of it could stop the product forever', () => {
  const path = join(folder, 'pipe')
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0)
  expect(() => read(path)).toThrow('is not a file')
  expect(() => read(folder)).toThrow('is not a file')
  expect(() => read('/dev/tty')).toThrow(/is not a file|cannot be read/)
})

test('asks for the full path of a file that is not in the folder of the product', () => {
  expect(() => read('no-such-token.txt')).toThrow('Give its full path')
  expect(() => read(join(folder, 'none.txt'))).toThrow(/by the product\.$/)
})

test.each(['', '\n', 'two words', `${'x'.repeat(10_001)}`])(
  'refuses a file with anything but one word: %p',
  (text) => {
    const path = join(folder, 'other.txt')
    writeFileSync(path, text)
    expect(() => read(path)).toThrow('must contain exactly one token')
  },
)

test('the upload of an act takes the bytes of a file, and no pipe', () => {
  const files = filesOf({ upload: { field: 'logo', called: 'a picture' } })
  const picture = join(folder, 'logo.png')
  writeFileSync(picture, Buffer.from([0x89, 0x50]))
  expect(readFiles({ logo_file: picture }, files)).toEqual({ logo: 'iVA=' })
  const pipe = join(folder, 'logo-pipe')
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
  expect(() => readFiles({ logo_file: pipe }, files)).toThrow('is not a file')
})
