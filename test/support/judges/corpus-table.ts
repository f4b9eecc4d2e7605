import { type CorpusLine, type CorpusName, corpusLanguages, corpusNames, halfOf, readCorpus } from './corpora'

const labelsOf = (line: CorpusLine<CorpusName>): readonly string[] =>
  typeof line.label === 'string'
    ? [line.label]
    : [
        line.label.mentioned ? 'mentioned' : 'not mentioned',
        ...(line.label.recommended ? ['recommended'] : []),
        ...(line.label.stance === 'none' ? [] : [line.label.stance]),
      ]

/** Returns the table of the README: how many texts there are of each kind, language and label. */
export function corpusTable(): string {
  const rows = corpusNames.map((name) => {
    const lines: readonly CorpusLine<CorpusName>[] = readCorpus(name)
    const labels = new Map<string, number>()
    for (const label of lines.flatMap(labelsOf)) labels.set(label, (labels.get(label) ?? 0) + 1)
    const count = (isOne: (line: CorpusLine<CorpusName>) => boolean) => String(lines.filter(isOne).length)
    return [
      `\`${name}\``,
      String(lines.length),
      corpusLanguages
        .map((language) => `${language} ${count((line) => line.language === language)}`)
        .join(', '),
      [...labels]
        .sort(([, a], [, b]) => b - a)
        .map(([label, n]) => `${label} ${n}`)
        .join(', '),
      count(({ written_as }) => written_as !== undefined),
      count(({ doubt }) => doubt),
      `${count((line) => halfOf(line) === 'build')} and ${count((line) => halfOf(line) === 'report')}`,
    ]
  })
  const heads = ['Folder', 'Texts', 'Languages', 'Labels', 'Disagreements', 'In doubt', 'Build and report']
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
