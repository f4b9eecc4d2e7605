import { expect, test } from 'bun:test'
import { csvParts, type FileCell, type FileTable } from 'renown/pages'

const csvOf = async (table: FileTable, hasMark = false) =>
  (await Array.fromAsync(csvParts(table, { hasMark }))).join('')
const cellOf = async (cell: FileCell) =>
  (await csvOf({ columns: [{ name: 'a' }, { name: 'b' }], rows: [[cell, 'z']] }))
    .split('\r\n')[1]
    ?.slice(0, -2)

test('a text that a spreadsheet could run gets an apostrophe in front', async () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '  =1', '＝1+1']) {
    expect(await cellOf(text)).toMatch(/^"?'/)
  }
  expect(await cellOf('\t1')).toBe("'\t1")
  expect(await cellOf('\r1')).toBe(`"'\r1"`)
  expect(await cellOf('1 = 1')).toBe('1 = 1')
})

test('also where a spreadsheet that separates cells in another way would begin a cell or a line', async () => {
  expect(await cellOf('Nice\n=1+1;')).toBe(`"Nice\n'=1+1;"`)
  expect(await cellOf('Nice\r @SUM(A1)')).toBe(`"Nice\r' @SUM(A1)"`)
  expect(await cellOf("Nice;=cmd|' /C calc'!A0;")).toBe("Nice;'=cmd|' /C calc'!A0;")
  expect(await cellOf('\t=1')).toBe("'\t'=1")
  expect(await cellOf('Nice\t+1')).toBe("Nice\t'+1")
  expect(await cellOf('Nice; "=1+1"')).toBe(`"Nice;' ""=1+1"""`)
  expect(await cellOf('Open 9-5; closed on Sundays\nCall us')).toBe('"Open 9-5; closed on Sundays\nCall us"')
})

test('a number stays a number, also below zero', async () => {
  expect(await cellOf(-5.25)).toBe('-5.25')
  expect(await cellOf({ value: -0.5, type: 'percent' })).toBe('-0.5')
  expect(await cellOf(Number.NaN)).toBe('')
  expect(await cellOf(Number.POSITIVE_INFINITY)).toBe('')
})

test('quotes, commas, line breaks and spaces at the ends are quoted', async () => {
  expect(await cellOf('say "hi", twice')).toBe('"say ""hi"", twice"')
  expect(await cellOf('two\nlines')).toBe('"two\nlines"')
  expect(await cellOf(' padded ')).toBe('" padded "')
  expect(await cellOf(null)).toBe('')
  expect(await cellOf(true)).toBe('true')
  expect(await cellOf('a\0b\ud800')).toBe('ab\ufffd')
})

test('the mark of UTF-8 is optional, rows end with CRLF, and notes come last', async () => {
  const table: FileTable = {
    columns: [{ name: 'name' }, { name: '=x' }],
    rows: [['日本', 1]],
    notes: () => ['One, sentence.', '=not a formula'],
  }
  expect(await csvOf(table)).toBe('name,\'=x\r\n日本,1\r\n\r\n"One, sentence."\r\n\'=not a formula\r\n')
  expect(await csvOf(table, true)).toStartWith('\ufeffname')
})

test('rows are read only as the parts are', async () => {
  let made = 0
  function* rows() {
    for (;;) {
      made++
      yield ['x'.repeat(1_000)]
    }
  }
  const parts = csvParts({ columns: [{ name: 'text' }], rows: rows() })
  await parts.next()
  expect(made).toBeLessThan(100)
  const before = made
  await parts.next()
  expect(made).toBeGreaterThan(before)
  await parts.return(undefined)
})
