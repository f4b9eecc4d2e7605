import { describe, expect, test } from 'bun:test'
import { Refusal } from 'renown'
import type { FileTable } from 'renown/pages'
import { createDownloadSlots } from '../../../../../core/web/framework/downloads/download-slots'
import { createDownloads } from '../../../../../core/web/framework/downloads/downloads'
import { testWith } from '../../../../support/needs'
import { readXlsx } from '../../../../support/read-xlsx'

const person = { id: 'usr_1', agency_id: 'agy_1' }
const visitOf = (id = 'usr_1') =>
  ({ request: new Request('http://localhost/'), person: { ...person, id } }) as never

function world(rowsMax?: number) {
  const warnings: string[] = []
  const slots = createDownloadSlots({ perPerson: 2, perAgency: 3 })
  const log = { warn: (message: string) => void warnings.push(message) }
  const downloads = createDownloads({ slots, log, ...(rowsMax === undefined ? {} : { rowsMax }) })
  const open = (table: FileTable, ending: 'csv' | 'xlsx' = 'csv', who = visitOf()) =>
    downloads.answer(who, { name: 'notes', title: 'Notes: all', ending, table })
  return { open, warnings }
}

const numbers = (count: number): FileTable => ({
  columns: [{ name: 'number' }],
  rows: Array.from({ length: count }, (_, place) => [place]),
})

describe('a download', () => {
  test('is a file that nobody caches', async () => {
    const { open } = world()
    const answer = await open(numbers(2))
    expect(await answer.text()).toBe('number\r\n0\r\n1\r\n')
    expect(Object.fromEntries(answer.headers)).toEqual({
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="notes.csv"',
      'content-type': 'text/csv; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('ends after its limit of rows, and says so', async () => {
    const { open } = world(3)
    expect(await (await open(numbers(3))).text()).toBe('number\r\n0\r\n1\r\n2\r\n')
    const lines = (await (await open(numbers(4))).text()).split('\r\n')
    expect(lines.slice(3)).toEqual([
      '2',
      '',
      'Only the first 3 rows are in this file. Use the filters of the page for the others.',
      '',
    ])
  })

  testWith('python3')('is a workbook whose second sheet has the notes', async () => {
    const { open } = world(3)
    const sheets = async (table: FileTable) => {
      const read = await readXlsx(new Uint8Array(await (await open(table, 'xlsx')).arrayBuffer()))
      return read.map(({ name, rows }) => [name, rows.map(([cell]) => cell?.value)])
    }
    expect(await sheets(numbers(2))).toEqual([
      ['Notes  all', ['number', '0', '1']],
      ['Notes', ['Notes', 'All rows are in this file.']],
    ])
    const [, notes] = await sheets({ ...numbers(9), notes: () => ['One was removed.'] })
    expect(notes?.[1]).toEqual([
      'Notes',
      'One was removed.',
      'Only the first 3 rows are in this file. Use the filters of the page for the others.',
    ])
  })

  test('that is refused by its first read is an answer of its own, and takes no slot', async () => {
    const { open } = world()
    const isRefused = true
    const refused = (): FileTable => ({
      columns: [],
      rows: (async function* () {
        if (isRefused) throw new Refusal('invalid_parameter', 'No such list.')
        yield []
      })(),
    })
    for (let time = 0; time < 4; time++) await expect(open(refused())).rejects.toThrow('No such list.')
    expect((await open(numbers(1))).status).toBe(200)
  })

  test('breaks if a later read fails, so that a part does not look like the whole', async () => {
    const { open, warnings } = world()
    const failing: FileTable = {
      columns: [{ name: 'text' }],
      rows: (async function* () {
        for (let row = 0; row < 100; row++) yield ['x'.repeat(2_000)]
        throw new Error('the store is gone')
      })(),
    }
    await expect((await open(failing)).text()).rejects.toThrow('the store is gone')
    expect(warnings).toEqual(['a download was not finished'])
    for (let time = 0; time < 3; time++) await (await open(numbers(1))).text()
  })

  test('waits for nobody: above two of a person or three of an agency it is refused', async () => {
    const { open } = world()
    const first = await open(numbers(1))
    const second = await open(numbers(1))
    await expect(open(numbers(1))).rejects.toThrow('Other downloads are still being written.')
    const third = await open(numbers(1), 'csv', visitOf('usr_2'))
    await expect(open(numbers(1), 'csv', visitOf('usr_3'))).rejects.toThrow('Other downloads')
    await second.body?.cancel()
    await third.text()
    await first.text()
    expect((await open(numbers(1))).status).toBe(200)
  })

  test('that nobody reads gives its slot back when its connection ends, and a HEAD request takes none', async () => {
    const { open } = world()
    const closed = new AbortController()
    const leaving = { request: new Request('http://localhost/', { signal: closed.signal }), person } as never
    let isEnded = false
    const rows: FileTable['rows'] = (async function* () {
      try {
        for (;;) yield ['x'.repeat(2_000)]
      } finally {
        isEnded = true
      }
    })()
    await open({ columns: [{ name: 'text' }], rows }, 'csv', leaving)
    await open(numbers(1), 'csv', leaving)
    await expect(open(numbers(1))).rejects.toThrow('Other downloads')
    closed.abort()
    await Promise.resolve()
    const head = { request: new Request('http://localhost/', { method: 'HEAD' }), person } as never
    for (let time = 0; time < 3; time++) {
      const answer = await open(numbers(1), 'csv', head)
      expect([answer.headers.get('content-type'), answer.body]).toEqual(['text/csv; charset=utf-8', null])
    }
    expect((await open(numbers(1))).status).toBe(200)
    for (let turn = 0; turn < 1_000 && !isEnded; turn++) await Promise.resolve()
    expect(isEnded).toBe(true)
  })
})
