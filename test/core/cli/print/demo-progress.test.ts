import { expect, test } from 'bun:test'
import { demoProgress, withDemoProgress } from '../../../../core/cli/print/demo-progress'

const terminal = (errIsTerminal: boolean) => {
  const said: string[] = []
  return { said, errIsTerminal, err: (text: string) => void said.push(text) }
}

test('each percent is printed once, on one line', async () => {
  const shown = terminal(true)
  const tell = demoProgress(shown)
  for (const done of [1, 2, 500, 501, 1_000]) await tell({ done, total: 1_000 })
  expect(shown.said.map((text) => text.trim())).toEqual([
    'Creating the demo: 0 % of 1,000 records',
    'Creating the demo: 50 % of 1,000 records',
    'Creating the demo: 100 % of 1,000 records',
    '',
  ])
})

test('nothing is printed into a file', async () => {
  const silent = terminal(false)
  await demoProgress(silent)({ done: 5, total: 10 })
  const asked: string[] = []
  const post = async <T>(path: string) => {
    asked.push(path)
    return {} as T
  }
  expect(await withDemoProgress(Promise.resolve('made'), { post }, silent)).toBe('made')
  expect([silent.said, asked]).toEqual([[], []])
})

test('the command is asked how far it is until it has answered, and its failure is passed on', async () => {
  const shown = terminal(true)
  const { promise, resolve } = Promise.withResolvers<string>()
  let looks = 0
  const post = async <T>(path: string): Promise<T> => {
    expect(path).toBe('/command?name=demo%20show')
    looks++
    if (looks === 1) throw new Error('busy')
    if (looks === 3) resolve('made')
    return { state: 'creating', done: looks, total: 4 } as T
  }
  expect(await withDemoProgress(promise, { post }, shown)).toBe('made')
  expect(shown.said.join('')).toMatch(/50 %[\s\S]*75 %[\s\S]*100 %/)
  const failed = Promise.reject(new Error('no space'))
  await expect(withDemoProgress(failed, { post }, shown)).rejects.toThrow('no space')
})
