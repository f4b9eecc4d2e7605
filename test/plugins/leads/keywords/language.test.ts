import { describe, expect, test } from 'bun:test'
import { checkKeywords, keywordAdvice } from '../../../../plugins/leads/keywords/check'
import type { Post } from '../../../../plugins/leads/keywords/evaluate'
import { buildMatcher } from '../../../../plugins/leads/keywords/matcher'
import { KeywordFault } from '../../../../plugins/leads/keywords/node'
import { parseKeyword } from '../../../../plugins/leads/keywords/parse'
import { termsToAsk } from '../../../../plugins/leads/keywords/terms'

const lists = (...keywords: string[]) => ({ keywords, required_keywords: [], excluded_keywords: [] })
const isMatch = (keyword: string, post: Post | string) => {
  const matcher = buildMatcher([{ id: 'trk_1', ...lists(keyword), languages: [] }])
  expect(matcher.unused).toEqual([])
  return matcher.match(typeof post === 'string' ? { body: post } : post).length > 0
}

describe('A keyword matches', () => {
  test.each<[keyword: string, post: Post | string]>([
    ['acme', 'ACME, at last'],
    ['blue bottle', 'a bottle that is blue'],
    ['"blue bottle"', 'Blue  Bottle'],
    ['“blue bottle”', 'blue\nbottle'],
    ['blue AND bottle', 'bottle of blue'],
    ['blue OR bottle', 'bottle'],
    ['blue bottle OR zoo', 'zoo'],
    ['blue (bottle OR can)', 'blue can'],
    ['blue NOT zoo', 'blue'],
    ['blue -zoo', 'blue'],
    ['blue -"the zoo"', 'blue zoo'],
    ['=Apple', 'the Apple store'],
    ['="Blue Bottle"', 'Blue Bottle'],
    ['boiler NEAR/2 leak', 'the boiler has a leak'],
    ['leak NEAR/2 boiler', 'the boiler has a leak'],
    ['(boiler OR heating) NEAR/3 (broken OR leak)', 'our heating is broken'],
    ['vitamin C', 'C is a vitamin'],
    ['C++', 'written in C++11.'],
    ['C#', 'I use c#, daily'],
    ['.NET', 'the .net runtime'],
    ['AT&T', 'switched to at&t'],
    ["Joe's", 'at Joes place'],
    ['Joe', "Joe's place"],
    ["L'Oréal", 'L’OREAL'],
    ['Oreal', "l'Oréal"],
    ['Coca-Cola', 'coca cola'],
    ['coca cola', 'Coca‑Cola'],
    ['Müller', 'MU\u0308LLER'],
    ['Łódź', 'lodz'],
    ['Straße', 'STRASSE'],
    ['ёлка', 'елка'],
    ['zerowidth', 'zero\u200bwidth'],
    ['naïve', 'nai\u0308ve'],
    ['東京', '東京都の店'],
    ['ガス', 'ｶﾞｽ料金'],
    ['กรุงเทพ', 'ไปกรุงเทพวันนี้'],
    ['삼성', '삼성은 좋다'],
    ['한국', '\u1112\u1161\u11ab\u1100\u116e\u11a8'],
    ['LINE', 'LINEを使う'],
    ['acme', 'https://acme.example/a'],
    ['acme', '#acme'],
    ['acme', '**acme**'],
    ['acme site:reddit.com', { body: 'acme', url: 'https://old.reddit.com/r/x' }],
    ['acme site:https://www.reddit.com/r/leeds/', { body: 'acme', url: 'http://reddit.com/r/leeds/1' }],
    ['acme author:@Ann', { body: 'acme', author: { handle: 'ann' } }],
    ['acme lang:pt', { body: 'acme', language: 'pt-BR' }],
    ['acme lang:pt', { body: 'acme' }],
    ['acme lang:pt', { body: 'acme', language: 'und' }],
    ['acme -lang:pt', { body: 'acme', language: 'und' }],
    ['acme source:reddit', { body: 'acme', source: 'reddit' }],
    ['acme in:title', { title: 'Acme', body: '' }],
    ['acme in:title -zoo', { title: 'Acme', body: 'no animals' }],
    ['acme site:"reddit.com"', { body: 'acme', url: 'https://reddit.com/' }],
    ['"AND" acme', 'acme and more'],
  ])('%s: %j', (keyword, post) => {
    expect(isMatch(keyword, post)).toBe(true)
  })
})

describe('A keyword does not match', () => {
  test.each<[keyword: string, post: Post | string]>([
    ['acme', 'acmes'],
    ['acme', 'pacme'],
    ['"blue bottle"', 'blue, bottle'],
    ['"blue bottle"', 'bottle blue'],
    ['blue bottle', 'blue'],
    ['blue -zoo', 'blue zoo'],
    ['=Apple', 'an apple'],
    ['boiler NEAR/1 leak', 'the boiler has a leak'],
    ['boiler NEAR/5 boiler', 'one boiler'],
    ['.NET', 'https://planet.net'],
    ['@acme', 'me@acme.example'],
    ['カス', 'ガス料金'],
    ['가', '각'],
    ['acme site:reddit.com', { body: 'acme', url: 'https://notreddit.com/' }],
    ['acme site:reddit.com/r/leeds', { body: 'acme', url: 'https://reddit.com/r/leedsunited' }],
    ['acme lang:pt', { body: 'acme', language: 'en' }],
    ['acme in:title', { title: 'Other', body: 'acme' }],
    ['acme in:title -zoo', { title: 'Acme', body: 'at the zoo' }],
  ])('%s: %j', (keyword, post) => {
    expect(isMatch(keyword, post)).toBe(false)
  })
})

describe('A mistake in a keyword has its position and what to write instead', () => {
  test.each<[keyword: string, marked: string, message: RegExp]>([
    ['', '', /Write a word/],
    ['"blue bottle', '"', /Close the quotation mark/],
    ['blue"bottle"', '"', /space before/],
    ['(blue bottle', '(', /Close this bracket/],
    ['blue) bottle', ')', /closes nothing/],
    ['blue ()', ')', /before this bracket/],
    ['blue AND', 'D', /Add a word/],
    ['OR blue', 'OR', /before OR/],
    ['blue AND OR bottle', 'OR', /before OR/],
    ['NOT zoo', 'NOT zoo', /Add a word that every match must have/],
    ['blue OR NOT zoo', 'blue OR NOT zoo', /every match/],
    ['site:a.example', 'site:a.example', /fields alone/],
    ['blue NEAR bottle', 'NEAR', /NEAR\/5/],
    ['blue NEAR/0 bottle', 'NEAR/0', /from 1 to 50/],
    ['blue NEAR/51 bottle', 'NEAR/51', /from 1 to 50/],
    ['blue NEAR/3 bottle NEAR/3 coffee', 'NEAR/3', /joins two phrases/],
    ['blue NEAR/3 (bottle AND can)', 'blue NEAR/3', /with OR in brackets/],
    ['blue | bottle', '|', /Write OR/],
    ['blue && bottle', '&&', /Write AND/],
    ['+blue', '+', /without \+/],
    ['plumb*', 'plumb*', /plumb OR plumbs/],
    ['acme - leeds', '-', /Remove the dash/],
    ['acme title:x', 'title:x', /in:title/],
    ['acme subreddit:x', 'subreddit:x', /site:reddit/],
    ['acme lang:english!', 'lang:english!', /lang:en/],
    ['acme site:', 'site:', /site:example.com/],
    ['acme site:..', 'site:..', /domain/],
    ['acme in:footer', 'in:footer', /in:title or in:body/],
    ['acme in:title in:body', 'acme', /not both/],
    ['acme -in:title', '-', /in:body/],
    ['in:title', 'in:title', /Add a phrase/],
    ['a', 'a', /too short/],
    ['"!!"', '"!!"', /letter or a digit/],
    ['= acme', '=', /directly after =/],
    ['((((((((( acme )))))))))', '(', /8 deep/],
    [`${'a'.repeat(501)}`, 'a', /500 characters/],
    [`"${'a'.repeat(121)}"`, `"${'a'.repeat(121)}"`, /120 characters/],
    [Array.from({ length: 61 }, (_, n) => `w${n}`).join(' '), 'w60', /60 phrases/],
  ])('%s', (keyword, marked, message) => {
    let fault: unknown
    try {
      parseKeyword(keyword)
    } catch (error) {
      fault = error
    }
    expect(fault).toBeInstanceOf(KeywordFault)
    const { at, length, message: said } = fault as KeywordFault
    expect(said).toMatch(message)
    expect(keyword.slice(at, at + length)).toBe(marked)
  })

  test('is found in each list of a tracker', () => {
    expect(checkKeywords(lists())).toMatchObject([{ field: 'keywords', message: 'Add at least one keyword' }])
    expect(checkKeywords(lists('acme', '"blue bottle" OR zoo'))).toEqual([])
    const mistakes = checkKeywords({
      keywords: ['acme', 'acme ('],
      required_keywords: ['lang:en', '-zoo'],
      excluded_keywords: ['author:bot', 'NOT zoo', '|'],
    })
    expect(mistakes.map(({ field, index, at }) => [field, index, at])).toEqual([
      ['keywords', 1, 5],
      ['required_keywords', 1, 0],
      ['excluded_keywords', 1, 0],
      ['excluded_keywords', 2, 0],
    ])
    const many = checkKeywords(lists(...Array.from({ length: 101 }, (_, n) => `word${n}`)))
    expect(many).toMatchObject([{ index: 100, message: 'A list has at most 100 keywords' }])
  })

  test('leads to advice if the keyword is valid but reads otherwise', () => {
    expect(keywordAdvice('plumber or electrician')[0]).toContain('Write OR')
    expect(keywordAdvice('Blue Bottle')[0]).toContain('write "Blue Bottle"')
    for (const fine of ['acme', '"bed and breakfast"', 'blue OR bottle', 'acme lang:en']) {
      expect(keywordAdvice(fine)).toEqual([])
    }
  })
})

describe('What to ask a source', () => {
  test.each([
    [['"Blue Bottle" coffee'], ['Blue Bottle']],
    [['coffee (acme OR zoom)'], ['coffee']],
    [['(acme OR zoom)'], ['acme', 'zoom']],
    [['acme NOT zoo lang:en'], ['acme']],
    [['(boiler OR heating) NEAR/3 repair'], ['repair']],
    [['acmé', 'ACME', 'acme'], ['acmé']],
    [['Müller'], ['Müller']],
  ])('%j: %j', (keywords, terms) => {
    expect(termsToAsk(lists(...keywords))).toEqual(terms)
  })

  test('is refused without a keyword or with an invalid one', () => {
    expect(() => termsToAsk(lists())).toThrow('at least one keyword')
    expect(() => termsToAsk(lists('NOT zoo'))).toThrow(KeywordFault)
  })
})
