import { describe, expect, spyOn, test } from 'bun:test'
import { createPasswords, isOfQueue, passwordFault } from '../../../../core/auth/people/passwords'
import { Refusal } from '../../../../core/contracts/errors'
import { CancelledError, TimedOutError } from '../../../../core/work/scope'
import { turns } from '../../../support/wait-for'

describe('a password', () => {
  const passwords = createPasswords(2)

  test('is kept as argon2id with 19 MiB and two rounds, and known again', async () => {
    const hash = await passwords.hash('correct horse staple')
    expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,')
    expect(await passwords.verify('correct horse staple', hash)).toBe(true)
    expect(await passwords.verify('correct horse stapl', hash)).toBe(false)
  })

  test('is the same however the machine writes its letters', async () => {
    expect(
      await passwords.verify('e\u0301te\u0301 a\u0300 la mer', await passwords.hash('été à la mer')),
    ).toBe(true)
  })

  test('that nobody has is never right, not even the dummy', async () => {
    expect(await passwords.verify('', undefined)).toBe(false)
    expect(await passwords.verify('anything at all', undefined)).toBe(false)
  })

  test('is checked no more often at once than there are cores', async () => {
    const one = createPasswords(1)
    const hash = await one.hash('correct horse staple')
    const order: number[] = []
    await Promise.all([1, 2, 3].map((n) => one.verify('x', hash).then(() => order.push(n))))
    expect(order).toEqual([1, 2, 3])
  })

  test('400 tries at once of one network are refused, and delay neither other networks nor known people', async () => {
    const one = createPasswords(1)
    const order: string[] = []
    const flood = Array.from({ length: 400 }, () =>
      one.verify('x', 'no hash', '192.0.2.1').then(
        () => order.push('flood'),
        ({ code }) => code,
      ),
    )
    const hash = one.hash('a')
    const other = one.verify('x', undefined, '198.51.100.7').then(() => order.push('other network'))
    const known = hash.then((made) => one.verify('a', made)).then((isRight) => order.push(`known ${isRight}`))
    const codes = await Promise.all(flood)
    await Promise.all([other, known])
    expect(codes.filter((code) => code === 'unavailable').length).toBe(395)
    expect(order.slice(0, 6)).toContain('known true')
    expect(order.indexOf('other network')).toBeLessThan(5)
  })

  test('tries of ever new networks are refused before they fill the memory', async () => {
    const one = createPasswords(1, { strangers: 40, network: 4, known: 10 })
    const flood = Array.from({ length: 100 }, (_, n) =>
      one.verify('x', 'no hash', `network ${n}`).then(
        () => 'done',
        ({ code }) => code ?? 'failed',
      ),
    )
    expect(await one.verify('a', await one.hash('a'))).toBe(true)
    const codes = await Promise.all(flood)
    expect(codes.filter((code) => code === 'unavailable').length).toBe(59)
  })
})

test('200 known people may wait, 4 of one network and 1,000 strangers', async () => {
  const never = new Promise<never>(() => {})
  const spies = [spyOn(Bun.password, 'hash'), spyOn(Bun.password, 'verify')]
  for (const spy of spies) spy.mockReturnValue(never)
  try {
    const one = createPasswords(1)
    const refusedOf = async (count: number, ask: (n: number) => Promise<unknown>) => {
      let refused = 0
      for (let n = 0; n < count; n++) ask(n).catch(({ code }) => (refused += code === 'unavailable' ? 1 : 0))
      await turns(3)
      return refused
    }
    // One of each kind runs, the others wait.
    expect(await refusedOf(203, () => one.hash('x'))).toBe(2)
    expect(await refusedOf(7, () => one.verify('x', 'hash', 'network'))).toBe(2)
    expect(await refusedOf(998, (n) => one.verify('x', 'hash', `network ${n}`))).toBe(2)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
})

test('an error of the check itself is not taken for a crowd', async () => {
  const spy = spyOn(Bun.password, 'hash')
  try {
    const odd = Object.assign(new TypeError('a bug'), { code: 'quota_exceeded' })
    for (const error of [new Refusal('conflict', 'another refusal'), odd]) {
      spy.mockRejectedValue(error)
      expect(
        await createPasswords(1)
          .hash('x')
          .catch((thrown) => thrown),
      ).toBe(error)
    }
  } finally {
    spy.mockRestore()
  }
})

describe('a new password', () => {
  test.each([
    'correct horse staple',
    'été à la mer 2026',
    'Tr0ub4dor&3xyz',
    '日本語のパスワードは長い方が良い',
  ])('may be %s', (text) => expect(passwordFault(text, 'ada@example.com')).toBeNull())
  test.each([
    ['short', 'at least 12'],
    ['x'.repeat(257), 'at most 256'],
    ['aaaaaaaaaaaaaaa', 'harder to guess'],
    ['123456789012', 'harder to guess'],
    ['qwertyuiop123', 'harder to guess'],
    ['password123456', 'harder to guess'],
    ['Password2026!', 'harder to guess'],
    ['adalovelace@example.com', 'e-mail'],
    ['adalovelace1', 'e-mail'],
  ])('may not be %s', (text, why) => expect(passwordFault(text, 'adalovelace@example.com')).toContain(why))
})

test.each([
  ['renownrenown7!2-9?4', true],
  ['renownrenown7!2-9?4;', false],
  ['renownrenownxk-4', true],
  // The last letter of a run is no run.
  ['renownrenownzzz!2-9?', false],
  ['renownrenownmmm!2-9?', false],
  ['renownrenownppp!2-9?', false],
  ['renownrenown000!2-9?', false],
  ['renownrenownxkw4', false],
  ['passwordqwer!7', true],
  ['passwordqwe!79', false],
  ['passwordzyxw!7', false],
  ['password0123?!x', true],
  ['abcdefghijklmnopqrstuvwxyz', true],
])('%s is guessable: %p', (text, isGuessable) => {
  expect(passwordFault(text, 'ada@example.com') !== null).toBe(isGuessable)
})

const ok = null
const short = 'Use at least 12 characters. A few words in a row are good.'
const long = 'Use at most 256 characters.'
const ofEmail = 'Choose a password that does not contain your e-mail address.'
const weak = 'Use one that is harder to guess.'
const words = 'correct horse staple '.repeat(20)

test.each([
  // password, e-mail address, what is wrong
  [words.slice(0, 11), 'ada@example.com', short],
  [words.slice(0, 12), 'ada@example.com', ok],
  [words.slice(0, 256), 'ada@example.com', ok],
  [words.slice(0, 257), 'ada@example.com', long],
  ['\u{1F600}'.repeat(11), 'ada@example.com', short],
  ['ADALOVELACE@EXAMPLE.COM', 'adalovelace@example.com', ofEmail],
  // A name of three letters is too common to refuse what contains it.
  ['adaqwxzv79!k', 'ada@example.com', ok],
  ['adamqwxzvk79', 'adam@example.com', ok],
  ['adalove1!xyz', 'adalove@example.com', ofEmail],
  ['adalove1!xyzq', 'adalove@example.com', ok],
  ['abcdabcdabcd', 'x@example.com', weak],
  ['wkmzwkmzwkmz', 'x@example.com', weak],
  ['wkmz!wkmz!wkmz', 'x@example.com', ok],
])('the password %p of %p is answered with %p', (password, email, why) => {
  expect(passwordFault(password, email)).toBe(why)
})

test('a full queue and a turn that comes too late are of the queue, and nothing else is', () => {
  const full = new Refusal('quota_exceeded', 'Full.')
  const ofQueue = [new TimedOutError(false), new CancelledError(), full]
  expect(ofQueue.map(isOfQueue)).toEqual([true, true, true])
  const others = [new Refusal('unavailable', 'Away.'), new Error('full'), { code: 'quota_exceeded' }, null]
  expect(others.map(isOfQueue)).toEqual([false, false, false, false])
})
