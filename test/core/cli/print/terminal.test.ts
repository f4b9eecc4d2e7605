import { expect, test } from 'bun:test'
import { join } from 'node:path'

test('an answer larger than a pipe is whole, although the process ends right after it', async () => {
  const module = join(import.meta.dir, '../../../../core/cli/print/terminal.ts')
  const script = `import { systemTerminal } from ${JSON.stringify(module)}
systemTerminal().out('x'.repeat(3_000_000)); process.exit(0)`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  expect((await child.stdout.text()).length).toBe(3_000_000)
  expect(await child.exited).toBe(0)
})

test('a reader who has seen enough is no error', async () => {
  const module = join(import.meta.dir, '../../../../core/cli/print/terminal.ts')
  const script = `import { systemTerminal } from ${JSON.stringify(module)}
systemTerminal().out('x'.repeat(3_000_000)); process.exit(0)`
  const child = Bun.spawn(['sh', '-c', '"$0" -e "$1" | head -c 10; echo', process.execPath, script], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.stdout.text()).toBe('xxxxxxxxxx\n')
  expect(await child.stderr.text()).toBe('')
})
