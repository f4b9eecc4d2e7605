import { expect, test } from 'bun:test'
import { judge } from './judge'

test.each([
  /^a*b/,
  /a+/,
  /(?:ab)+c?/,
  /^\d{1,9}$/,
  /^(?:a|b)*$/,
  /`([^`]+)`/g,
  /:\d+$/,
  /INTERVAL (\d+) DAY/g,
  /^\s*(\d+)/,
  /^(accounts\/[^/]+)\/locations\//,
  /\bBearer +\S+/,
  /^[^@\s]+@[^@\s]+$/,
  /^a*?b*?c$/,
  /^www\.(?=.*\.)/,
  /%(?:2f|5c|00)/i,
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/x$/,
  /[\s\S]*/,
  /a(?:.*x)?/,
  /^x(?:y|yz)*$/,
  /a+/y,
  /^PPid:.*$/m,
  /^(?:(?:a|b)c)+$/,
  /[\p{L}\p{N}]+/u,
])('%p takes work in step with the text', (pattern) => {
  expect(judge(pattern)).toBe('linear')
})

test.each([
  /\s+$/,
  /\/+$/,
  /^a*a*b/,
  /^\s*[\s\S]*?\s*x$/,
  /\d+\s*$/,
  /(\w+)=(\w+)$/,
  /^(.*),(.*)x$/,
  /[\w.+-]+@[\w-]+\.x/,
  /^#Fields:\s*(.+)$/,
  /(?:PPid:\s*|^\s*)(\d+)/m,
  / (CODEC|DEFAULT)\b.*$/,
  /^\d+\d{3,}x$/,
  /\n\s*$/,
  /a.*b$/,
  /^\{(.*?)\} (?:\{.*?\} )?"(.*)"$/,
  /^x(?=.*a.*b$)/,
])('%p can take the square of the text', (pattern) => {
  expect(judge(pattern)).toBe('polynomial')
})

test.each([/^(a+)+b/, /^(?:a|a)*b/, /^(?:a*)*b/, /(?:x|xx|y)+$/, /^(?:[a-z]+\d?)*!$/, /^(?:\w|\d)+$/])(
  '%p can take forever',
  (pattern) => {
    expect(judge(pattern)).toBe('exponential')
  },
)

test.each([/(a)\1/, /(?<=a+)b/])('%p is not judged', (pattern) => {
  expect(judge(pattern)).toStartWith('cannot be judged')
})
