import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { webhookHeaders } from 'renown/sending'
import { testWith } from './support/needs'

const page = readFileSync(join(import.meta.dir, '../docs/agents/webhooks.md'), 'utf8')
const sampleOf = (language: string) => {
  const [, code] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page) ?? []
  if (code === undefined) throw new Error(`docs/agents/webhooks.md has no sample in ${language}`)
  return code
}

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
const [secret, former, other] = ['a', 'b', 'c'].map(secretOf) as [string, string, string]
const timestamp = 1_780_000_000
const body = '{"type":"review.received","data":{"review_id":"rev_é"}}'
const headers = webhookHeaders({ id: 'evt_1', timestamp, body }, [secret, former])

/** The body, the secret, the seconds since the message was signed, and whether the message is accepted. */
const cases = [
  [body, secret, 10, true],
  [body, former, -10, true],
  [body, other, 10, false],
  [`${body} `, secret, 10, false],
  [body, secret, 600, false],
] as const

test('the check of a signature in JavaScript accepts what Renown signs, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-webhooks-'))
  const file = join(folder, 'check.mjs')
  writeFileSync(file, sampleOf('js'))
  const { isFromRenown } = (await import(file)) as {
    isFromRenown: (headers: object, body: string, secret: string, now: number) => boolean
  }
  for (const [text, key, age, isAccepted] of cases)
    expect(isFromRenown(headers, text, key, (timestamp + age) * 1_000)).toBe(isAccepted)
  rmSync(folder, { recursive: true })
})

testWith('python3')('the check of a signature in Python accepts the same', () => {
  const asked = JSON.stringify(cases.map(([text, key, age]) => [text, key, timestamp + age]))
  const run = `${sampleOf('python')}
import json, sys
headers, asked = json.loads(sys.argv[1]), json.loads(sys.argv[2])
print(json.dumps([is_from_renown(headers, text.encode(), key, now) for text, key, now in asked]))`
  const { stdout, stderr } = Bun.spawnSync(['python3', '-c', run, JSON.stringify(headers), asked])
  expect(stderr.toString()).toBe('')
  expect(JSON.parse(stdout.toString())).toEqual(cases.map(([, , , isAccepted]) => isAccepted))
})
