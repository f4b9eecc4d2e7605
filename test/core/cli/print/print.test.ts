import { describe, expect, test } from 'bun:test'
import { printAnswer } from '../../../../core/cli/print/print'
import { report } from '../../../../core/cli/print/report'

const hostile = 'A\u001b]0;title\u0007\u009b31m\u202eB\u2066\r\u007f'

function printed(json: boolean, answer: unknown): string {
  let text = ''
  const out = (more: string) => {
    text += more
  }
  const terminal = { out, err: () => {}, outIsTerminal: false, errIsTerminal: false, columns: 200 }
  printAnswer(terminal, json, answer)
  return text
}
/** What a terminal would do something for, ends of lines aside. */
const obeyed = (text: string) => text.replaceAll('\n', '').match(/[\p{Cc}\p{Bidi_Control}]/gu)

test.each([
  { name: hostile },
  { locations: [{ name: hostile, n: 1 }] },
  { locations: [{ name: hostile, long: 'x'.repeat(300) }] },
  { sources: [{ which: [{ reviewer: hostile }] }] },
  [{ name: hostile }],
])('strangers’ words in %p make a terminal do nothing', (answer) => {
  expect(printed(false, answer)).toContain('A')
  expect(obeyed(printed(false, answer))).toBeNull()
  expect(obeyed(printed(true, answer))).toBeNull()
  expect(JSON.parse(printed(true, answer))).toEqual(answer)
})

test('nor do they in what is said to have gone wrong', () => {
  let text = ''
  const err = (more: string) => {
    text += more
  }
  const terminal = { out: err, err, outIsTerminal: false, errIsTerminal: false, columns: 80 }
  report(new Error(`There is no place for ${hostile}.`), terminal, false)
  expect([text.startsWith('error: There is no place for A'), obeyed(text)]).toEqual([true, null])
})

test('lines stay lines', () => {
  expect(printed(false, { says: 'one\ntwo' })).toContain('one\ntwo')
})

describe('domains in other letters', () => {
  const domain = 'xn--mller-kva.example'

  test('are written in their own letters for people, and as they are stored for programs', () => {
    expect(printed(false, { domain })).toContain('müller.example')
    expect(printed(false, { sites: [{ domain, n: 1 }] })).toContain('müller.example')
    expect(JSON.parse(printed(true, { domain }))).toEqual({ domain })
  })

  test('are written in their own letters in errors', () => {
    let text = ''
    const err = (more: string) => {
      text += more
    }
    const terminal = { out: err, err, outIsTerminal: false, errIsTerminal: false, columns: 80 }
    report(new Error(`This site already has hits of ${domain}.`), terminal, false)
    expect(text).toBe('error: This site already has hits of müller.example.\n')
  })
})

test('names come before ids, in columns of the width that a terminal gives them', () => {
  const rows = [
    { site_id: 'sit_1', domain: 'cafe.example', name: '喫茶こもれび' },
    { site_id: 'sit_2', domain: 'b.example', name: 'B' },
  ]
  const lines = printed(false, rows).trimEnd().split('\n')
  expect(lines[0]?.split(/\s+/)).toEqual(['domain', 'name', 'site_id'])
  expect(new Set(lines.map((line) => Bun.stringWidth(line.slice(0, line.search(/site_id|sit_/)))))).toEqual(
    new Set([28]),
  )
  expect(printed(false, { workspace_id: 'wsp_1', name: 'Corner' })).toMatch(/^name .*\nworkspace_id/)
  expect(printed(true, { workspace_id: 'wsp_1', name: 'Corner' })).toStartWith('{"workspace_id"')
})
