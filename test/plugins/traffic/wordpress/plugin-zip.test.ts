import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginZip } from '../../../../plugins/traffic/wordpress/plugin-zip'
import { testWith } from '../../../support/needs'

const source = join(import.meta.dir, '../../../../plugins/traffic/wordpress/renown')
const program = `
import io, json, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
assert archive.testzip() is None
print(json.dumps({name: archive.read(name).decode() for name in archive.namelist()}))
`

testWith('python3')('the archive has every file of the plugin in one folder', async () => {
  const { bytes } = await pluginZip()
  const { stdout, stderr } = Bun.spawnSync(['python3', '-c', program], { stdin: bytes })
  expect(String(stderr)).toBe('')
  const names = readdirSync(source)
  const files = names.map((name) => [`renown/${name}`, readFileSync(join(source, name), 'utf8')])
  expect(JSON.parse(String(stdout))).toEqual(Object.fromEntries(files))
})

test('the version is the same in all three places, and the licence is the one of Renown', () => {
  const [php = '', readme = ''] = ['renown.php', 'readme.txt'].map((name) =>
    readFileSync(join(source, name), 'utf8'),
  )
  const version = /^ \* Version: +(\S+)$/m.exec(php)?.[1] ?? 'none'
  expect(readme).toContain(`Stable tag: ${version}\n`)
  expect(readme).toContain(`= ${version} =\n`)
  for (const name of ['Requires at least', 'Requires PHP', 'License'])
    expect(new RegExp(`^ \\* ${name}: +(\\S+)$`, 'm').exec(php)?.[1]).toBe(
      new RegExp(`^${name}: (\\S+)$`, 'm').exec(readme)?.[1] ?? 'none',
    )
})
