/** Agents that the benches of the counter draw from. */
export const drawnAgents = [
  'GPTBot',
  'ClaudeBot',
  'PerplexityBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'CCBot',
  'Amazonbot',
  'Bytespider',
]

/** The same number between 0 and 1 for the same hit in every run. */
export function draw(n: number, salt: number): number {
  let mixed = Math.imul(n ^ Math.imul(salt, 0x9e3779b9), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}
