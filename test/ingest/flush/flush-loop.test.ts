import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type ClaimQueue, ClaimsUnavailable } from '../../../ingest/flush/flush-claims'
import { createFlushLoop } from '../../../ingest/flush/flush-loop'
import type { FromWorker } from '../../../ingest/flush/flusher-messages'
import { systemFiles } from '../../../ingest/journal/files'
import { openJournal } from '../../../ingest/journal/journal'
import { isCalledFrom } from '../../support/called-from'
import { countedHit } from '../../support/counted-hit'
import { quietLog } from '../../support/quiet-log'
import { turns } from '../../support/wait-for'
import { inTemporaryFolder } from '../support/journal'

const realSleep = Bun.sleep
/** How long the loops of this file pause, in milliseconds. Loops of other files may still run in this process. */
const ownPauses: ReadonlySet<number> = new Set([77, 100, 200, 300])
let sleeps: ReturnType<typeof spyOn<typeof Bun, 'sleep'>>
/** The pauses of the loop that have not ended. */
let pauses: { readonly ms: number; readonly end: () => void }[] = []

beforeEach(() => {
  pauses = []
  sleeps = spyOn(Bun, 'sleep').mockImplementation(((ms: number) => {
    if (!isCalledFrom('ingest/flush/') || !ownPauses.has(ms)) return realSleep(ms)
    const { promise, resolve } = Promise.withResolvers<void>()
    pauses.push({ ms, end: resolve })
    return promise
  }) as never)
})
afterEach(() => sleeps.mockRestore())

async function until(condition: () => boolean) {
  const giveUpAt = performance.now() + 20_000
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error('waited 20 s in vain for the flush loop')
    await realSleep(2)
  }
}

async function addSegments(directory: string, count: number) {
  const journal = await openJournal({ directory, now: () => new Date(), log: quietLog })
  for (let segment = 0; segment < count; segment++) {
    await journal.append({ hits: [countedHit({ path: `/${segment}`, id: 7 + segment })] })
    await journal.rotate()
  }
  await journal.stop()
}

interface LoopOf {
  readonly segments?: number
  readonly reply: (request: number) => Response | Promise<Response>
  readonly desk?: ClaimQueue | null
  /** How many segments a block may have. */
  readonly together?: number
}

/** A loop before a server that answers each request as `reply` says. A pause ends only when `endPause` says so. */
async function withLoop(
  { segments = 1, reply, desk = null, together = 1 }: LoopOf,
  work: (of: {
    readonly loop: ReturnType<typeof createFlushLoop>
    readonly said: FromWorker[]
    readonly directory: string
    requests(): number
    endPause(): void
  }) => Promise<void>,
) {
  await inTemporaryFolder(async (directory) => {
    await addSegments(directory, segments)
    let requests = 0
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => reply(++requests) })
    const said: FromWorker[] = []
    const loop = createFlushLoop({
      directory,
      target: { url: `http://127.0.0.1:${server.port}/any` },
      pollMs: 77,
      say: (message) => void said.push(message),
      desk,
      longestPauseMs: 300,
      limits: { segments: together, bytes: 2 ** 20 },
    })
    try {
      await work({
        loop,
        said,
        directory,
        requests: () => requests,
        endPause: () => pauses.shift()?.end(),
      })
    } finally {
      await loop.stop()
      await server.stop(true)
    }
  })
}

const away = () => new Response('Code: 999. DB::Exception: away', { status: 500 })
const badRows = () =>
  new Response('Code: 27. DB::Exception: Cannot parse. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)', {
    status: 400,
    headers: { 'x-clickhouse-exception-code': '27' },
  })
const taken = () => new Response('')

test('after a failure only the end of the pause or a stop starts another attempt', () =>
  withLoop({ reply: away }, async ({ loop, said, requests, endPause }) => {
    for (const [failures, ms] of [
      [1, 100],
      [2, 200],
      [3, 300],
      [4, 300],
    ] as const) {
      await until(() => pauses.length > 0)
      expect([pauses.map((pause) => pause.ms), requests()]).toEqual([[ms], failures])
      for (let looks = 0; looks < 20; looks++) {
        loop.look()
        await turns(5)
      }
      loop.drain(failures)
      await turns(50)
      expect([pauses.map((pause) => pause.ms), requests()]).toEqual([[ms], failures])
      endPause()
    }
    await until(() => pauses.length > 0)
    expect(requests()).toBe(5)
    await loop.stop()
    expect(pauses).toHaveLength(1)
    expect(said.filter(({ say }) => say === 'drained')).toEqual([])
  }))

test('the first and every tenth consecutive failure is logged, and every one is reported', () =>
  withLoop({ reply: away }, async ({ said, endPause }) => {
    for (let failures = 1; failures <= 21; failures++) {
      await until(() => pauses.length > 0)
      const logged = said.filter(({ say }) => say === 'log')
      expect(logged).toHaveLength(failures < 10 ? 1 : failures < 20 ? 2 : 3)
      expect(said.filter(({ say }) => say === 'trouble')).toHaveLength(failures)
      endPause()
    }
    expect(said.find(({ say }) => say === 'log')).toMatchObject({
      level: 'warn',
      message: 'ClickHouse accepts no hits; hits wait in the journal',
      fields: { reason: expect.any(String) },
    })
  }))

test('a success ends the trouble, and the next failure begins with the shortest pause', () => {
  const replies = [away, away, taken, taken, taken, away]
  return withLoop(
    { segments: 2, reply: (request) => (replies[request - 1] ?? away)() },
    async ({ said, endPause }) => {
      const ms: number[] = []
      for (let failure = 0; failure < 4; failure++) {
        await until(() => pauses.length > 0)
        ms.push(pauses[0]?.ms ?? 0)
        endPause()
      }
      expect(ms).toEqual([100, 200, 100, 200])
      const told = said.flatMap((one) => (one.say === 'trouble' ? [one.trouble?.of ?? null] : []))
      expect(told.slice(0, 4)).toEqual(['clickhouse', 'clickhouse', null, 'clickhouse'])
    },
  )
})

test('rows that ClickHouse refuses are tried three times without a pause, then set aside', () =>
  withLoop({ reply: badRows }, async ({ loop, said, directory, requests }) => {
    loop.drain(7)
    await until(() => said.some(({ say }) => say === 'drained'))
    expect(requests()).toBe(3)
    expect(said.map(({ say }) => say).sort()).toEqual(['drained', 'log'])
    expect(said.find(({ say }) => say === 'log')).toMatchObject({
      level: 'error',
      fields: { segment: expect.any(String), reason: expect.stringContaining('27') },
    })
    expect(await readdir(join(directory, 'poison'))).toHaveLength(1)
    expect(await readdir(join(directory, 'segments'))).toEqual([])
  }))

test('a segment that was set aside is counted once when it is moved back after its cause is gone', () => {
  let isRefused = true
  return withLoop({ reply: () => (isRefused ? badRows() : taken()) }, async ({ loop, said, directory }) => {
    await until(() => said.some(({ say }) => say === 'log'))
    const [name = ''] = await readdir(join(directory, 'poison'))
    isRefused = false
    await rename(join(directory, 'poison', name), join(directory, 'segments', name))
    loop.look()
    await until(() => said.some(({ say }) => say === 'flushed'))
    expect(said.filter(({ say }) => say === 'flushed')).toHaveLength(1)
    for (const [folder, names] of [
      ['segments', []],
      ['poison', []],
      ['done', [name]],
    ] as const)
      expect(await readdir(join(directory, folder))).toEqual([...names])
  })
})

test('receipts are read only for segments of an earlier process and after a failure', () =>
  withLoop({ reply: taken }, async ({ loop, said, directory, requests }) => {
    const drained = (id: number) => {
      loop.drain(id)
      return until(() => said.some((one) => one.say === 'drained' && one.id === id))
    }
    await drained(1)
    expect(requests()).toBe(3)
    await addSegments(directory, 1)
    await drained(2)
    expect(requests()).toBe(5)
  }))

test('without segments the loop waits for a look or the next poll, and is in no trouble', () =>
  withLoop({ segments: 0, reply: taken }, async ({ loop, said, requests, endPause }) => {
    await until(() => pauses.length > 0)
    expect(pauses.map((pause) => pause.ms)).toEqual([77])
    endPause()
    await until(() => pauses.length > 0)
    loop.drain(3)
    await until(() => said.length > 0)
    expect([said, requests()]).toEqual([[{ say: 'drained', id: 3 }], 0])
  }))

test.each([
  ['ENOENT', 0],
  ['EACCES', 1],
] as const)('a folder that cannot be listed with %s is trouble %i times', (code, times) =>
  withLoop({ segments: 0, reply: taken }, async ({ said, endPause }) => {
    await until(() => pauses.length > 0)
    const list = spyOn(systemFiles, 'list').mockImplementation(() =>
      Promise.reject(Object.assign(new Error(code), { code })),
    )
    try {
      endPause()
      await until(() => pauses.length > 0)
      const troubles = said.filter(({ say }) => say === 'trouble')
      expect(troubles).toHaveLength(times)
      for (const each of troubles)
        expect(each).toMatchObject({ trouble: { reason: `ClickHouse accepts no hits (${code})` } })
      expect(pauses.map((pause) => pause.ms)).toEqual([times > 0 ? 100 : 77])
    } finally {
      list.mockRestore()
    }
  }),
)

test('a segment that stands is moved to done, and both folders are synced before that is told', () => {
  const calls: string[] = []
  const spies = (['makeDirectory', 'rename', 'syncDirectory'] as const).map((call) => {
    const real = systemFiles[call] as (...paths: string[]) => Promise<void>
    return spyOn(systemFiles, call).mockImplementation(async (...paths: string[]) => {
      await real(...paths)
      calls.push(
        [call, ...paths.map((path) => path.split('/').slice(-2)[path.endsWith('.seg') ? 0 : 1])].join(' '),
      )
    })
  })
  return withLoop({ reply: taken }, async ({ said, directory }) => {
    calls.splice(0)
    await until(() => said.some(({ say }) => say === 'flushed'))
    expect(calls).toEqual([
      'rename block.json.draft block.json',
      `syncDirectory ${basename(directory)}`,
      'makeDirectory done',
      'rename segments done',
      'syncDirectory done',
      'syncDirectory segments',
    ])
    expect(await readdir(join(directory, 'done'))).toHaveLength(1)
    const [flushed] = said.filter(({ say }) => say === 'flushed')
    const segment = (await readdir(join(directory, 'done')))[0]?.replace('.seg', '')
    expect<unknown>(flushed).toEqual({
      say: 'flushed',
      hits: 1,
      elsewhere: 0,
      segment,
      ms: expect.any(Number),
    })
  }).finally(() => {
    for (const spy of spies) spy.mockRestore()
  })
})

test('a damaged segment is counted as far as it can be read, and a copy is kept', async () => {
  const damage = async (directory: string) => {
    const [name = ''] = (await readdir(join(directory, 'segments'))).filter((file) => file.endsWith('.seg'))
    const path = join(directory, 'segments', name)
    await Bun.write(path, Buffer.concat([await Bun.file(path).bytes(), Buffer.from('damage')]))
    return name
  }
  let isHeld = true
  await withLoop({ reply: () => (isHeld ? away() : taken()) }, async ({ said, directory, endPause }) => {
    await until(() => pauses.length > 0)
    const name = await damage(directory)
    isHeld = false
    endPause()
    await until(() => said.some(({ say }) => say === 'flushed'))
    expect(await readdir(join(directory, 'done'))).toEqual([name])
    expect(await readdir(join(directory, 'poison'))).toEqual([name.replace('.seg', '.damaged')])
    expect(said.filter((one) => one.say === 'log' && one.level === 'error')).toEqual([
      {
        say: 'log',
        level: 'error',
        message: expect.stringContaining('damaged'),
        fields: { segment: name.replace('.seg', '') },
      },
    ])
    expect(said.filter((one) => one.say === 'trouble').at(-1)).toEqual({ say: 'trouble', trouble: null })
  })
})

test('segments go oldest first, and none is begun after a stop', async () => {
  const begun: number[] = []
  const gate = Promise.withResolvers<void>()
  const reply = async (request: number) => {
    begun.push(request)
    await gate.promise
    return taken()
  }
  await withLoop({ segments: 2, reply }, async ({ loop, said }) => {
    await until(() => begun.length > 0)
    const stopped = loop.stop()
    gate.resolve()
    await stopped
    expect([begun.length, said.map(({ say }) => say)]).toEqual([3, ['flushed']])
  })
})

test('a stop aborts a statement that does not end, and the claims that nobody answers', async () => {
  const timers = spyOn(globalThis, 'setTimeout')
  /** What a stop does after two and a half seconds. */
  const giveUp = () => {
    const [call] = timers.mock.calls.filter(([, ms]) => ms === 2_500)
    if (!call) throw new Error('a stop set no timer')
    ;(call[0] as () => void)()
  }
  try {
    const begun: number[] = []
    const reply = (request: number) => {
      begun.push(request)
      return new Promise<Response>(() => {})
    }
    await withLoop({ reply }, async ({ loop, said }) => {
      await until(() => begun.length > 0)
      const stopped = loop.stop()
      giveUp()
      await stopped
      expect(said.filter(({ say }) => say === 'flushed')).toEqual([])
    })
    timers.mockClear()
    const given: string[] = []
    const desk: ClaimQueue = {
      claim: async () => [],
      hear() {},
      giveUp: () => void given.push('given up'),
    }
    await withLoop({ reply, desk }, async ({ loop }) => {
      begun.splice(0)
      await until(() => begun.length > 0)
      const stopped = loop.stop()
      expect(given).toEqual([])
      giveUp()
      await stopped
      expect(given).toEqual(['given up'])
    })
  } finally {
    timers.mockRestore()
  }
})

test('claims that nobody answers are trouble of the gateway', () => {
  const desk: ClaimQueue = {
    claim: () => Promise.reject(new ClaimsUnavailable('It is away')),
    hear() {},
    giveUp() {},
  }
  return withLoop({ reply: taken, desk }, async ({ said, requests }) => {
    await until(() => pauses.length > 0)
    expect(requests()).toBe(0)
    const what = 'The gateway does not say which batches other processes count'
    expect(said).toEqual([
      {
        say: 'log',
        level: 'warn',
        message: `${what}; hits wait in the journal`,
        fields: { reason: 'It is away' },
      },
      { say: 'trouble', trouble: { of: 'gateway', reason: `${what} (It is away)` } },
    ])
  })
})
