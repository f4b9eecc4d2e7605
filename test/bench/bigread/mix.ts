/** How the hits of the bench are spread: sites, paths and agents are asked for unevenly, as they are. */
export const mix = {
  days: 90,
  /** Pages of the biggest site; smaller ones have fewer, the 10,000th has fifty. */
  pathsMax: 5_000,
  pathsMin: 40,
  /** Name, category, operator; the first comes most often. */
  agents: [
    ['GPTBot', 'training', 'OpenAI'],
    ['ClaudeBot', 'training', 'Anthropic'],
    ['OAI-SearchBot', 'search_index', 'OpenAI'],
    ['ChatGPT-User', 'ai_answers', 'OpenAI'],
    ['PerplexityBot', 'search_index', 'Perplexity'],
    ['Perplexity-User', 'ai_answers', 'Perplexity'],
    ['Amazonbot', 'training', 'Amazon'],
    ['Bytespider', 'training', 'ByteDance'],
  ],
} as const

const dayMs = 86_400_000

/** The 90 days that end yesterday. */
export const daysOf = (now: number): string[] =>
  Array.from({ length: mix.days }, (_, n) =>
    new Date(now - (mix.days - n) * dayMs).toISOString().slice(0, 10),
  )

/** The site of a rank; the first, the biggest, is the product's own. */
export const siteId = (rank: number, first: string): string =>
  rank === 0 ? first : `sit_01JD8Q4ZK9N6W3V5T7${String(rank).padStart(8, '0')}`
export const workspaceId = (rank: number, first: string): string =>
  rank === 0 ? first : `wsp_01JD8Q4ZK9N6W3V5T7${String(Math.floor(rank / 10)).padStart(8, '0')}`
export const tokenOf = (rank: number, first: string): string => (rank === 0 ? first : `rnw_fwd_bench_${rank}`)
export const pathOf = (number: number): string => `/blog/posts/${number}/a-title-of-some-length-${number}`

export const pathsOf = (rank: number): number =>
  Math.floor(Math.max(mix.pathsMin, mix.pathsMax / Math.sqrt(rank + 1)))

/** A place among so many, of which the first is drawn most: each is half as likely as that of half its number. */
export const uneven = (places: number, random: number): number =>
  Math.min(places, Math.floor((places + 1) ** random)) - 1
