import { clfTime } from './clf-time'
import { draw, drawnAgents } from './drawn'

const begun = Date.UTC(2026, 9, 1)
let time = { second: -1, text: '' }

/** A line of an access log, every second one of an agent. Twelve lines a second, the clients of a hundred thousand addresses, 5,000 pages of which few are asked for often. */
export function drawnLine(n: number): string {
  const second = Math.floor(n / 12)
  if (time.second !== second) time = { second, text: clfTime(new Date(begun + second * 1000)) }
  const path = Math.floor(5_000 ** draw(n, 1))
  const host = Math.floor(draw(n, 2) * 100_000)
  const size = 2_000 + Math.floor(draw(n, 3) * 90_000)
  return (
    `${20 + (host % 60)}.${(host >> 4) % 256}.${(host >> 8) % 256}.${host % 251} - - [${time.text}] ` +
    `"GET /blog/posts/${path}/a-title-of-some-length-${path} HTTP/1.1" 200 ${size} "-" "${uaOf(n)}"`
  )
}

function uaOf(n: number): string {
  const drawn = draw(n, 4)
  if (n % 2 === 0)
    return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + Math.floor(drawn * 40)}.0.0.0 Safari/537.36`
  const agent = drawnAgents[Math.floor(drawn * drawnAgents.length)] ?? ''
  return `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${agent}/1.2; +https://bots.example/${agent})`
}
