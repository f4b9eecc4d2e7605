import { expect, test } from 'bun:test'
import { looksLike, mixesScripts } from '../../../../core/auth/domains/look-alike'

test('each letter that is taken for a Latin one makes a name that is taken for another', () => {
  const pairs = {
    a: 'аɑα',
    b: 'вь',
    c: 'с',
    d: 'ԁ',
    e: 'еҽё',
    g: 'ɡ',
    h: 'һ',
    i: 'іıι',
    j: 'ј',
    k: 'кκ',
    l: 'ӏ1',
    m: 'м',
    n: 'пո',
    o: 'оοօ0',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ5',
    t: 'тτ',
    u: 'υս',
    v: 'νѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
  }
  for (const [latin, twins] of Object.entries(pairs))
    for (const twin of twins) {
      const own = `b${latin}z.example`
      const other = `b${twin}z.example`
      expect([latin, twin, looksLike(own, other), looksLike(other, own)]).toEqual([latin, twin, true, true])
      const strange = `b${latin === 'z' ? 'a' : 'z'}z.example`
      expect([strange, twin, looksLike(strange, other)]).toEqual([strange, twin, false])
    }
})

test('marks, pairs that read as one letter and i for l are taken for each other; the same name is not', () => {
  expect(looksLike('corn.example', 'com.example')).toBe(true)
  expect(looksLike('rnorn.example', 'mom.example')).toBe(true)
  expect(looksLike('vvater.example', 'water.example')).toBe(true)
  expect(looksLike('vvvv.example', 'ww.example')).toBe(true)
  expect(looksLike('bill.example', 'bili.example')).toBe(true)
  expect(looksLike('cafe.example', 'xn--caf-dma.example')).toBe(true)
  expect(looksLike('water.example', 'water.example')).toBe(false)
  expect(looksLike('nr.example', 'm.example')).toBe(false)
})

test('a word mixes scripts where it draws on two that are not written together, each script by itself is one', () => {
  const words = {
    Latin: 'abc',
    Cyrillic: 'жзи',
    Greek: 'δεζ',
    Armenian: 'աբգ',
    Hebrew: 'אבג',
    Arabic: 'ابت',
    Cherokee: 'ꭰꭱ',
    Georgian: 'აბგ',
  }
  for (const [name, word] of Object.entries(words)) {
    expect([name, mixesScripts(`${word}.${words.Latin}`)]).toEqual([name, false])
    if (name !== 'Latin') expect([name, mixesScripts(`x.${word}a`)]).toEqual([name, true])
  }
  for (const word of ['漢字', 'ひら', 'カナ', '한글', 'ㄅㄆ']) {
    expect([word, mixesScripts(`${word}abc`), mixesScripts(`${word}ж`)]).toEqual([word, false, false])
    expect([word, mixesScripts(`a${word}ж${word}`)]).toEqual([word, true])
  }
})
