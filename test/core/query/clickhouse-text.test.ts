import { expect, test } from 'bun:test'
import { quoteName, quoteText } from '../../../core/query/clickhouse-text'

test('a quoted name or text ends nowhere before its end', () => {
  expect(quoteName('a`b\\c`')).toBe('`a\\`b\\\\c\\``')
  expect(quoteText("a'b\\c'")).toBe("'a\\'b\\\\c\\''")
  expect([quoteName("it's"), quoteText('`')]).toEqual(["`it's`", "'`'"])
})
