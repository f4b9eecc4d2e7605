import { relative } from 'node:path'

/** What one test file took, in milliseconds. */
interface FileTime {
  readonly file: string
  /** Processor time of the test process, with loading the file, and of the processes that it started and that have ended. */
  readonly cpu: number
  readonly wall: number
  /** Time in which the test process waited for something other than a free core. */
  readonly idle: number
}

const shownFiles = 30

/** Reads the lines that `file-times.ts` writes. */
const readTimes = (lines: string): FileTime[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): FileTime => JSON.parse(line))

/** How many seconds each file took, with the time in which it only waited. */
export const secondsByFile = (root: string, lines: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    readTimes(lines).map(({ file, cpu, idle }) => [relative(root, file), (cpu + idle) / 1_000]),
  )

/** The files that took most, as a table, from the lines that `file-times.ts` writes. */
export function timesTable(root: string, lines: string): string {
  const times = readTimes(lines).sort((a, b) => b.cpu + b.idle - (a.cpu + a.idle))
  const sum = (of: (time: FileTime) => number) => times.reduce((total, time) => total + of(time), 0)
  const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(8)
  const row = ({ cpu, idle, wall }: Omit<FileTime, 'file'>, name: string) =>
    `${seconds(cpu)}${seconds(idle)}${seconds(wall)}  ${name}`
  return [
    '     cpu    idle    wall  seconds',
    ...times.slice(0, shownFiles).map((time) => row(time, relative(root, time.file))),
    row(
      { cpu: sum(({ cpu }) => cpu), idle: sum(({ idle }) => idle), wall: sum(({ wall }) => wall) },
      `all ${times.length} files`,
    ),
  ].join('\n')
}
