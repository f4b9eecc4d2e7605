import type { CorpusName } from './corpora'
import { learningCurve } from './learning'
import { measure, printedShare } from './measure'
import { crossed, intentTraining, relevanceTraining } from './training'

const shares = (texts: Parameters<typeof measure>[0], wanted: string) => {
  const is = (said: string) => said === wanted
  const { precision, recall, judged, ...counted } = measure(texts, {
    name: wanted,
    isWanted: is,
    isFound: is,
  })
  return `${counted.texts} texts, ${judged} judged, precision ${printedShare(precision)}, recall ${printedShare(recall)}`
}

function newBusinesses(): string {
  const texts = crossed(relevanceTraining, 'about', 'other')
  return `# Relevance, each business judged by weights that were learned without it\n\n${shares(texts, 'about')}\n`
}

function newPosts(): string {
  const texts = crossed(intentTraining, 'lead', 'not')
  return `# Intent, each business judged by weights that were learned without it\n\n${shares(texts, 'lead')}\n`
}

async function afterDecisions(): Promise<string> {
  const rows = (await learningCurve()).map(
    ({ decisions, measured: { precision, recall } }) =>
      `| ${decisions} | ${printedShare(precision)} | ${printedShare(recall)} |`,
  )
  return `# Relevance after decisions of the owner, report half\n\n| Decisions | Precision | Recall |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}

/** Returns what prints the figures of the judges of posts beyond their two halves. */
export const crossedPage = (corpora: readonly CorpusName[]): readonly (() => string | Promise<string>)[] => [
  ...(corpora.includes('relevance') ? [newBusinesses, afterDecisions] : []),
  ...(corpora.includes('intent') ? [newPosts] : []),
]
