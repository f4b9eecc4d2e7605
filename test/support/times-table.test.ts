import { expect, test } from 'bun:test'
import { timesTable } from './times-table'

const line = (file: string, cpu: number, idle: number, wall: number) =>
  JSON.stringify({ file: `/r/${file}`, cpu, idle, wall })

test('the table starts with the files that took most, and ends with the sums', () => {
  const lines = `${line('a.test.ts', 100, 0, 150)}\n${line('b.test.ts', 1_000, 2_500, 4_000)}\n`
  expect(timesTable('/r', lines).split('\n')).toEqual([
    '     cpu    idle    wall  seconds',
    '     1.0     2.5     4.0  b.test.ts',
    '     0.1     0.0     0.1  a.test.ts',
    '     1.1     2.5     4.2  all 2 files',
  ])
})

test('it shows 30 files and counts all', () => {
  const lines = Array.from({ length: 40 }, (_, n) => line(`${n}.test.ts`, 1_000, 0, 1_000)).join('\n')
  const table = timesTable('/r', lines).split('\n')
  expect(table).toHaveLength(32)
  expect(table.at(-1)).toBe('    40.0     0.0    40.0  all 40 files')
})
