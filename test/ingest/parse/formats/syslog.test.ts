import { expect, test } from 'bun:test'
import { syslogMessage } from '../../../../ingest/parse/formats/senders/syslog'

test.each([
  ['<13>Nov 20 10:00:00 web nginx: GET /a', 'GET /a'],
  ['<13>Nov 20 10:00:00 web nginx:GET /a', 'GET /a'],
  ['Nov 20 10:00:00 nginx: GET /a', 'GET /a'],
  ['2026-11-20T10:00:00Z web nginx[7]: GET /a', 'GET /a'],
  ['Nov 20 10:00:00 web nginx: a b c d e f g', 'a b c d e f g'],
  ['Nov 20 10:00:00 web nginx:abcdefghi jk', 'abcdefghi jk'],
  ['<13>1 2026-11-20T10:00:00Z web nginx 7 - - GET /a', 'GET /a'],
  ['<13>1 2026-11-20T10:00:00Z web nginx 7 - [a b="]"][c] GET /a', 'GET /a'],
  ['<13>1 2026-11-20T10:00:00Z web nginx 7 - - \ufeffGET /a', 'GET /a'],
])('%s says its message', (line, message) => expect(syslogMessage(line)).toBe(message))

test.each([
  'GET /a',
  'Nov 20 10:00:00 web nginx:',
  'Nov 20 10:00:00 web nginx: ',
  'Nov 20 10:00:00 : GET /a',
  '2026-11-20T10:00:00\tweb nginx: GET /a',
  'x 2026-11-20T10:00:00Z web nginx: GET /a',
  'x Nov 20 10:00:00 web nginx: GET /a',
  '<13>1 2026-11-20T10:00:00Z web nginx 7 -',
  '<13>1 2026-11-20T10:00:00Z web nginx 7 - [a GET /a',
])('%s is another line', (line) => expect(syslogMessage(line)).toBeNull())
