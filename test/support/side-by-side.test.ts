import { expect, test } from 'bun:test'
import { sideBySide } from './side-by-side'

const command = (script: string) => [process.execPath, '-e', script]
const ends = (code: number, says = '') => command(`console.log('${says}'); process.exit(${code})`)
const run = async (checks: readonly (readonly string[])[], tests: readonly string[]) => {
  let printed = ''
  const root = import.meta.dir
  const print = (text: string) => {
    printed += text
  }
  const code = await sideBySide({ root, checks, tests, print })
  return { code, printed }
}

test('passes when every check and the tests pass', async () => {
  const { code, printed } = await run([ends(0, 'first'), ends(0, 'second')], ends(0))
  expect([code, printed]).toEqual([0, 'first\nsecond\n'])
})

test('ends with the code of the tests', async () => {
  expect((await run([ends(0)], ends(7))).code).toBe(7)
})

test('a check that fails stops the tests and the checks after it', async () => {
  const endless = command('setInterval(() => {}, 1_000)')
  const { code, printed } = await run([ends(0, 'fine'), ends(3, 'a fault'), ends(0, 'never')], endless)
  expect(code).toBe(3)
  expect(printed).toContain('fine\na fault\n')
  expect(printed).toContain('failed with code 3')
  expect(printed).not.toContain('never')
})
