import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setting, settingForm } from '../../../core/contracts/setting'
import { settings } from '../../../core/contracts/settings'
import { createSecrets } from '../../../core/outbound/secrets'
import { readConfig } from '../../../core/process/config'
import { makeKeyFiles, withSettingFiles } from '../../../core/process/setting-files'

const root = mkdtempSync(join(tmpdir(), 'renown-setting-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
/** Writes a file of its own, with the mode that a secret should have unless said otherwise. */
function file(text: string, mode = 0o600): string {
  const path = join(root, `value-${count++}`)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

describe('a setting in a file', () => {
  test('has the trimmed text of the file, for every setting of core', () => {
    const path = file(' the value \n')
    for (const name of Object.keys(settings)) {
      expect(withSettingFiles({ [`${name}_FILE`]: path })).toMatchObject({ [name]: 'the value' })
    }
    expect(readConfig({ MAIL_FROM_FILE: file('news@example.com\n') }).MAIL_FROM).toBe('news@example.com')
    expect(readConfig({ PORT_FILE: file('8080\n'), LLM_API_KEY_FILE: file('k') }).apiUrl).toContain(':8080')
  })

  test('is read for settings of plugins, and a name that itself ends in _FILE stays a name', () => {
    const declared = {
      SHOP_KEY: setting(settingForm.text, '', 'A key.'),
      SHOP_LIST: setting(settingForm.text, '', 'A list.'),
      SHOP_LIST_FILE: setting(settingForm.text, '', 'The path of a list.'),
    }
    const env = { SHOP_KEY_FILE: file('s3cret'), SHOP_LIST_FILE: '/nowhere' }
    expect(readConfig(env, declared)).toMatchObject({
      SHOP_KEY: 's3cret',
      SHOP_LIST: '',
      SHOP_LIST_FILE: '/nowhere',
    })
  })

  test('is not read where the name is empty, and unknown names are left alone', () => {
    const env = { SECRETS_KEY_FILE: ' ', NO_SUCH_FILE: '/nowhere' }
    expect(withSettingFiles(env)).toBe(env)
  })

  test.each<[string, () => Record<string, string>, string]>([
    [
      'set twice',
      () => ({ SMTP_URL: 'smtp://a', SMTP_URL_FILE: file('smtp://b') }),
      'SMTP_URL_FILE: SMTP_URL is set too. Remove one of the two.',
    ],
    ['missing', () => ({ SMTP_URL_FILE: '/nowhere/smtp' }), 'SMTP_URL_FILE: /nowhere/smtp does not exist.'],
    [
      'missing before the first start',
      () => ({ SECRETS_KEY_FILE: '/nowhere/key' }),
      'SECRETS_KEY_FILE: /nowhere/key does not exist yet. The first start of the product makes it.',
    ],
    ['a folder', () => ({ SMTP_URL_FILE: root }), `SMTP_URL_FILE: ${root} is not a file.`],
    ['empty', () => ({ SMTP_URL_FILE: file(' \n') }), ' is empty.'],
    ['too large', () => ({ SMTP_URL_FILE: file('x'.repeat(70_000)) }), ' is larger than 65536 bytes.'],
    ['open to all', () => ({ SMTP_URL_FILE: file('smtp://b', 0o604) }), '(mode 0604). Run: chmod 600 '],
    [
      'writable for a group',
      () => ({ SMTP_URL_FILE: file('smtp://b', 0o620) }),
      '(mode 0620). Run: chmod 600 ',
    ],
    [
      'behind a file',
      () => ({ SMTP_URL_FILE: `${file('x')}/y` }),
      ' cannot be read (ENOTDIR). Give it to the user who runs Renown.',
    ],
  ])('that is %s stops the start with one sentence', (_, env, sentence) => {
    const read = () => withSettingFiles(env())
    expect(read).toThrow('The settings cannot be used:\n  ')
    expect(read).toThrow(sentence)
  })

  test('can be read by a group, and all files that cannot be used are named at once', () => {
    expect(withSettingFiles({ SMTP_URL_FILE: file('smtp://b', 0o640) }).SMTP_URL).toBe('smtp://b')
    const read = () => readConfig({ SMTP_URL_FILE: '/nowhere/a', MONGODB_URI_FILE: '/nowhere/b' })
    expect(read).toThrow(
      /SMTP_URL_FILE: .*\n {2}MONGODB_URI_FILE: |MONGODB_URI_FILE: .*\n {2}SMTP_URL_FILE: /,
    )
  })
})

describe('a key whose file does not exist', () => {
  test('is made once, whole, for this user alone, and is a key that works', () => {
    const folder = join(root, 'keys')
    mkdirSync(folder)
    const env = { SECRETS_KEY_FILE: join(folder, 'key'), RENOWN_INGEST_SECRET_FILE: join(folder, 'ingest') }
    expect(makeKeyFiles(env)).toEqual([env.SECRETS_KEY_FILE, env.RENOWN_INGEST_SECRET_FILE])
    const first = readFileSync(env.SECRETS_KEY_FILE, 'utf8')
    expect(makeKeyFiles(env)).toEqual([])
    expect(readFileSync(env.SECRETS_KEY_FILE, 'utf8')).toBe(first)
    expect(readdirSync(folder).sort()).toEqual(['ingest', 'key'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const { SECRETS_KEY, RENOWN_INGEST_SECRET } = readConfig(env)
    expect(RENOWN_INGEST_SECRET).toMatch(/^[\w-]{43}$/)
    const place = { entity: 'Note', workspace_id: 'w', id: 'n', field: 'secret' }
    const secrets = createSecrets({ keys: SECRETS_KEY, folder: null })
    expect(secrets.open(secrets.seal('hidden', place), place)).toBe('hidden')
  })

  test('is the same for processes that share the folder and start at once', async () => {
    const folder = join(root, 'shared')
    mkdirSync(folder)
    const code = `const { makeKeyFiles, withSettingFiles } = await import('${join(import.meta.dir, '../../../core/process/setting-files')}')
      while (Date.now() < ${Date.now() + 400}) {}
      const made = makeKeyFiles(process.env)
      console.log(JSON.stringify([made.length, withSettingFiles(process.env).SECRETS_KEY]))`
    const env = { PATH: process.env.PATH ?? '', SECRETS_KEY_FILE: join(folder, 'key') }
    const all = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, '-e', code], { env, stderr: 'inherit' }),
    )
    const told = await Promise.all(all.map(async ({ stdout }) => JSON.parse(await stdout.text())))
    expect(told.map(([made]) => made).sort()).toEqual([0, 0, 0, 1])
    expect(new Set(told.map(([, key]) => key)).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['key'])
  })

  test('is not made in a folder that does not exist, and the sentence says so', () => {
    expect(() => makeKeyFiles({ SECRETS_KEY_FILE: join(root, 'none/key') })).toThrow(
      `${join(root, 'none/key')} does not exist and cannot be made (ENOENT). Its folder must exist`,
    )
  })
})

describe('roles', () => {
  test.each(['gateway', 'worker'])('%s needs both servers, and runs no ingest', (RENOWN_ROLE) => {
    const servers = { MONGODB_URI: 'mongodb://db/renown', CLICKHOUSE_URL: 'http://ch:8123/renown' }
    const sentence = `RENOWN_ROLE: ${RENOWN_ROLE} needs MONGODB_URI and CLICKHOUSE_URL`
    for (const name of ['MONGODB_URI', 'CLICKHOUSE_URL'])
      expect(() => readConfig({ ...servers, [name]: '', RENOWN_ROLE })).toThrow(sentence)
    expect(readConfig({ ...servers, RENOWN_ROLE, RENOWN_INGEST: 'on' }).RENOWN_INGEST).toBe('off')
    expect(readConfig(servers).RENOWN_INGEST).toBe('on')
  })
})
