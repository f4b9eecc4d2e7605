import { describe, expect, test } from 'bun:test'
import { nextSeries, watchedPrompts } from '../../../../plugins/visibility/alerts/baseline'

const day = (of: number) => new Date(Date.UTC(2026, 9, of)).toISOString().slice(0, 10)
const days = (from: number, until: number, step = 1) =>
  Array.from({ length: Math.floor((until - from) / step) + 1 }, (_, at) => day(from + at * step))
const prompt = (id: string, first: number, last: number) => ({ id, first: day(first), last: day(last) })

describe('Watched prompts', () => {
  test('are those asked in the first three rounds and in the last three', () => {
    const prompts = [prompt('all', 1, 30), prompt('late', 4, 30), prompt('gone', 1, 27), prompt('odd', 3, 28)]
    expect([...watchedPrompts(days(1, 30), prompts)]).toEqual(['all', 'odd'])
  })

  test('of a weekly tracker are asked in the first and the last three weeks', () => {
    const weeks = days(1, 64, 7)
    const prompts = [
      prompt('all', 1, 64),
      prompt('odd', 15, 50),
      prompt('late', 22, 64),
      prompt('gone', 1, 43),
    ]
    expect([...watchedPrompts(weeks, prompts)]).toEqual(['all', 'odd'])
  })
})

describe('A series', () => {
  const between = (until: number) => ({ from: day(1), until: day(until) })

  test('goes on while most prompts are asked all the time', () => {
    const prompts = Array.from({ length: 5 }, (_, at) => prompt(`p${at}`, at === 4 ? 20 : 1, 80))
    expect(nextSeries(between(80), days(1, 80), prompts)).toBeNull()
  })

  test('begins again after sixty days if more than a fifth of the prompts came later', () => {
    const prompts = Array.from({ length: 5 }, (_, at) => prompt(`p${at}`, at > 2 ? 20 : 1, 60))
    const until = (last: number) =>
      nextSeries(
        between(last),
        days(1, last),
        prompts.map((one) => ({ ...one, last: day(last) })),
      )
    expect(until(59)).toBeNull()
    expect(until(60)).toBe(day(31))
  })

  test('begins again after fourteen days if no prompt was asked all the time', () => {
    const prompts = [prompt('late', 8, 14)]
    expect(nextSeries(between(13), days(1, 13), [prompt('late', 8, 13)])).toBeNull()
    expect(nextSeries(between(14), days(1, 14), prompts)).toBe(day(1))
    expect(nextSeries(between(20), days(1, 20), [prompt('late', 8, 20)])).toBe(day(7))
    expect(nextSeries(between(20), days(1, 20), [])).toBeNull()
  })

  test('ends after a year, and keeps its last sixty days', () => {
    const year = days(1, 366)
    expect(nextSeries(between(365), year.slice(0, 365), [prompt('all', 1, 365)])).toBeNull()
    expect(nextSeries(between(366), year, [prompt('all', 1, 366)])).toBe(day(307))
  })
})
