import { describe, expect, test } from 'bun:test'
import { type FileCell, type Sheet, xlsxParts } from 'renown/pages'
import { testWith } from '../../../support/needs'
import { readXlsx } from '../../../support/read-xlsx'

const bytesOf = async (sheets: readonly Sheet[]) => Buffer.concat(await Array.fromAsync(xlsxParts(sheets)))
const column = { name: 'value' }
const one = (rows: readonly (readonly FileCell[])[], type?: 'percent' | 'day' | 'instant'): Sheet => ({
  name: 'Rows',
  columns: [type === undefined ? column : { ...column, type }],
  rows,
})

describe('a workbook, read by another program', () => {
  testWith('python3')('has typed cells: texts, numbers, shares, days, times and booleans', async () => {
    const sheet: Sheet = {
      name: 'Reviews',
      columns: [
        { name: 'text' },
        { name: 'count', type: 'count' as const },
        { name: 'share', type: 'percent' as const },
        { name: 'day', type: 'day' as const },
        { name: 'at', type: 'instant' as const },
        { name: 'flag' },
      ],
      rows: [
        ['Ünïcode 日本 🎉', 12, 0.125, '2026-03-14', '2026-03-14T06:00:00.000Z', true],
        ['', -3, null, 'unknown', '1899-01-01', false],
        [{ value: 4.5, type: 'rating' }],
      ],
    }
    const [found] = await readXlsx(await bytesOf([sheet]))
    expect(found?.name).toBe('Reviews')
    expect(found?.frozen).toBe('A2')
    const [head, first, second, third] = found?.rows ?? []
    expect(head?.map(({ value }) => value)).toEqual(['text', 'count', 'share', 'day', 'at', 'flag'])
    expect(first).toEqual([
      { at: 'A2', type: 'inlineStr', format: 'General', value: 'Ünïcode 日本 🎉' },
      { at: 'B2', type: 'n', format: '#,##0', value: '12' },
      { at: 'C2', type: 'n', format: '0.0%', value: '0.125' },
      { at: 'D2', type: 'n', format: 'yyyy-mm-dd', value: '46095' },
      { at: 'E2', type: 'n', format: 'yyyy-mm-dd hh:mm:ss "UTC"', value: '46095.25' },
      { at: 'F2', type: 'b', format: 'General', value: '1' },
    ])
    expect(second?.map(({ at, type, value }) => [at, type, value])).toEqual([
      ['B3', 'n', '-3'],
      ['D3', 'inlineStr', 'unknown'],
      ['E3', 'inlineStr', '1899-01-01'],
      ['F3', 'b', '0'],
    ])
    expect(third).toEqual([{ at: 'A4', type: 'n', format: '0.00', value: '4.5' }])
  })

  testWith('python3')('has no formula, whatever a text says', async () => {
    const texts = ["=cmd|' /C calc'!A0", '+1', '-1', '@SUM(A1)', '\t=1', '<f>1+1</f>', '_x003D_1+1', ']]>']
    const bytes = await bytesOf([one(texts.map((text) => [text]))])
    const [found] = await readXlsx(bytes)
    expect(found?.formulas).toBe(0)
    const [, ...rows] = found?.rows ?? []
    expect(rows.flat().map(({ value }) => value)).toEqual(
      texts.map((text) => text.replace('_x003D_', '_x005F_x003D_')),
    )
    expect(rows.flat().every(({ type }) => type === 'inlineStr')).toBe(true)
    expect(
      rows
        .flat()
        .slice(0, 5)
        .every(({ quoted }) => quoted),
    ).toBe(true)
  })

  testWith('python3')('leaves out characters that XML refuses, and cuts texts at the limit', async () => {
    const [found] = await readXlsx(
      await bytesOf([
        one([['a\u0000\u0001\u001b\ufffeb'], ['x\ud800y'], ['two\r\nlines'], ['🎉'.repeat(20_000)]]),
      ]),
    )
    const [, ...rows] = found?.rows ?? []
    const [control, lone, lines, long] = rows.flat().map(({ value }) => value)
    expect(control).toBe('ab')
    expect(lone).toBe('x\ufffdy')
    expect(lines).toBe('two\nlines')
    expect(long?.length).toBe(32_767)
    expect(long).toEndWith('🎉…')
  })

  testWith('python3')('gives each sheet a valid name of its own', async () => {
    const named = ["a/b*c?[d]:e\\'", 'History', '', 'x'.repeat(40), 'X'.repeat(40), 'Q&A "1" <2>']
    const found = await readXlsx(await bytesOf(named.map((name) => ({ name, columns: [column], rows: [] }))))
    const names = found.map(({ name }) => name)
    expect(names).toEqual([
      'a b c  d  e',
      'History 2',
      'Sheet',
      'x'.repeat(31),
      `${'X'.repeat(29)} 2`,
      'Q&A "1" <2>',
    ])
  })
})

test('the same sheets give the same bytes, however slowly their rows come', async () => {
  const rows = Array.from({ length: 5_000 }, (_, place) => [`row ${place} ${'x'.repeat(place % 90)}`])
  async function* slow() {
    for (const row of rows) {
      if (row[0]?.startsWith('row 2')) await Promise.resolve()
      yield row
    }
  }
  const first = await bytesOf([one(rows)])
  expect((await bytesOf([{ ...one([]), rows: slow() }])).equals(first)).toBe(true)
})

test('a sheet with too many rows is an error, not a broken file', async () => {
  function* rows() {
    for (let row = 0; row < 1_048_576; row++) yield []
  }
  const read = async () => {
    for await (const _ of xlsxParts([{ name: 'Rows', columns: [], rows: rows() }]));
  }
  await expect(read()).rejects.toThrow('A sheet has at most 1048575 rows. Choose fewer rows.')
})

test('rows are read only as the parts are', async () => {
  let made = 0
  function* rows() {
    for (;;) {
      made++
      yield [crypto.randomUUID().repeat(100)]
    }
  }
  const parts = xlsxParts([{ ...one([]), rows: rows() }])
  for (let part = 0; part < 30; part++) await parts.next()
  expect(made).toBeGreaterThan(0)
  expect(made).toBeLessThan(2_000)
  await parts.return(undefined)
})
