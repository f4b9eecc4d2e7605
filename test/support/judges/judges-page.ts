import { corpusLanguages } from './corpora'
import type { MeasuredJudge } from './judges'
import { type JudgedText, measure, printedShare, textsOf } from './measure'

/** The month in which the texts were written and labelled. */
export const corporaDate = 'November 2026'

/** A judge with its verdicts. */
export interface JudgedCorpus {
  readonly judge: MeasuredJudge
  readonly texts: readonly JudgedText[]
}

/** Runs judges over their texts. */
export const judgeAll = (judges: readonly MeasuredJudge[]): Promise<readonly JudgedCorpus[]> =>
  Promise.all(judges.map(async (judge) => ({ judge, texts: await judge.judge() })))

const heads = ['Language', 'Texts', 'Judged', 'Precision', 'Recall', 'False alarms']

/** Returns the rows of a judge: all languages first, then each. */
export function measuredRows({ judge, texts }: JudgedCorpus, half: 'build' | 'report' | 'all'): string[][] {
  const own = textsOf(texts, half)
  const row = (name: string, some: readonly JudgedText[]) => {
    const { judged, precision, recall, falseAlarms, ...counted } = measure(some, judge)
    const shares = [precision, recall, falseAlarms].map(printedShare)
    return [name, String(counted.texts), String(judged), ...shares]
  }
  return [
    row('all', own),
    ...corpusLanguages.map((language) =>
      row(
        language,
        own.filter((text) => text.language === language),
      ),
    ),
  ]
}

/** Returns the tables of all judges on a half as Markdown. */
export const judgeTables = (judged: readonly JudgedCorpus[], half: 'build' | 'report' | 'all'): string =>
  judged
    .map(({ judge, texts }) => {
      const rows = [heads, heads.map(() => '---'), ...measuredRows({ judge, texts }, half)]
      return `## ${judge.name}\n\nFinds ${judge.finds}. Texts: \`corpora/${judge.corpus}\`.\n\n${rows
        .map((cells) => `| ${cells.join(' | ')} |`)
        .join('\n')}\n`
    })
    .join('\n')

/** Returns the page that prints what the judges reach on the half of the texts that no rule was built on. */
export const judgesPage = (judged: readonly JudgedCorpus[]): string => `# Judges

<!-- Printed from the code by \`bun run docs\`. Change the code, not this page. -->

A judge decides something about a text: whether a post is about the business, whether an answer recommends the brand. This page says how
often each judge is right, without a language model. The texts are in the folder \`corpora\`. They were written and labelled in
${corporaDate} by the authors of Renown, one by another. They are not a sample of what a business receives.

The figures are those of the \`report\` half. No rule is built on its texts. Settings of the judges were compared by these
figures, so they are slightly too good.

- **Texts**: the number of labelled texts. Texts with an unclear label are left out.
- **Judged**: those about which the judge decided. A text that it leaves open counts as missed.
- **Precision**: of what it found, the share that is right.
- **Recall**: of what it should find, the share that it found.
- **False alarms**: of texts with nothing to find, the share in which it found something.

Each share has its 95 % interval (Wilson). A row of few texts has a wide one. \`bun run judges\` prints all halves.

${judgeTables(judged, 'report')}`
