import { expect, test } from 'bun:test'
import { headerText, mediaType } from '../../../core/requests/headers'

test('a header that was not sent is empty text', () => {
  expect(headerText(new Headers({ accept: 'text/html' }), 'Accept')).toBe('text/html')
  expect(headerText(new Headers(), 'accept')).toBe('')
})

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON ; charset=utf-8', 'application/json'],
  [' text/html;x=y;z', 'text/html'],
  [';', ''],
])('the media type of %p is %p', (sent, type) => {
  expect(mediaType(new Headers({ 'content-type': sent }))).toBe(type)
  expect(mediaType(new Headers())).toBe('')
})
