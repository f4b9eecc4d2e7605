import { badTime, noRequest, type ParsedHit, requestLine, statusOf } from '../text/reading'
import { clfInstant } from '../text/time'

/** Length of the bucket owner's id, which begins each line. */
const ownerLength = 64
/** Only what a visitor fetches. Others are lists, settings and the bucket's own rules. */
const isFetch = /^(?:REST|WEBSITE)\.(?:GET|HEAD)\.OBJECT$/

/**
 * Reads a line of Amazon S3's server access log: `owner bucket [time] client requester id operation key "request"
 * status … "referrer" "agent" …`. Returns null for any other line.
 */
export function readS3(line: string): ParsedHit | null {
  if (line.charCodeAt(ownerLength) !== 32 || line.indexOf(' ') !== ownerLength) return null
  const bracket = line.indexOf(' [', ownerLength + 1)
  const close = line.indexOf('] ', bracket)
  const bucket = line.slice(ownerLength + 1, bracket)
  const quote = line.indexOf('"', close)
  if (bracket === -1 || close === -1 || bucket === '' || bucket.includes(' ')) return null
  const [ip = '', , id = '', operation = ''] = line
    .slice(close + 2, quote === -1 ? undefined : quote)
    .split(' ', 4)
  if (!/^[A-Z\d]+(?:[._][A-Z\d]+)+$/.test(operation)) return null
  if (quote === -1 || !isFetch.test(operation)) return noRequest
  const ts = clfInstant(line, bracket + 2)
  if (ts === null) return badTime
  const end = line.indexOf('" ', quote + 1)
  const request = end === -1 ? null : requestLine(line.slice(quote + 1, end))
  if (!request) return noRequest
  const { referer, ua, host } = headersIn(line, end + 2)
  return {
    ts,
    ip: ip === '-' ? null : ip,
    method: request.method,
    target: pathIn(request.target, bucket, host),
    host: host?.includes('.amazonaws.com') ? undefined : host,
    ua,
    referer,
    status: statusOf(line.slice(end + 2, end + 5)),
    id: id === '-' ? undefined : id,
  }
}

/** Reads the headers. S3 does not escape quotes inside them, but writes none behind the user agent. */
function headersIn(line: string, from: number) {
  const open = line.indexOf('"', from)
  const middle = open === -1 ? -1 : line.indexOf('" "', open + 1)
  const end = line.lastIndexOf('"')
  if (middle === -1 || end <= middle + 2) return { referer: undefined, ua: '', host: undefined }
  const host = line.slice(end + 2).split(' ', 6)[5]
  return {
    referer: textOf(line.slice(open + 1, middle)) || undefined,
    ua: textOf(line.slice(middle + 3, end)),
    host: host === '-' || host === '' ? undefined : host,
  }
}

const textOf = (text: string) => (text === '-' ? '' : text)

/** Removes the bucket from a path of S3's own host, `s3.region.amazonaws.com`. */
function pathIn(target: string, bucket: string, host: string | undefined): string {
  const isPathStyle = host !== undefined && /^s3[.-]/.test(host) && target.startsWith(`/${bucket}/`)
  return isPathStyle ? target.slice(bucket.length + 1) : target
}
