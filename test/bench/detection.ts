import { createNameFinder } from '../../plugins/visibility/detection/find-names'
import { createAnswerJudge, entitiesOf } from '../../plugins/visibility/detection/judge-answer'

const rounds = 9
const tracked = {
  brand: { names: ['Northgate Plumbing & Heating', 'Northgate', 'NPH'] },
  competitors: [
    { name: 'Drain Doctors' },
    { name: "O'Hara Plumbing" },
    { name: 'Müller Sanitär' },
    { name: 'Leeds Boiler Company' },
    { name: 'Northgate Plumbing Supplies' },
  ],
}

/** Answers a second of processor time in which names are found and judged, beside a plain search in lower case. */
export function run(): void {
  for (const [title, answers] of Object.entries({ English: english(4_000), 'half German': german(4_000) })) {
    const find = createNameFinder(entitiesOf(tracked))
    const judge = createAnswerJudge(tracked)
    const needles = entitiesOf(tracked).flatMap(({ names }) => names.map((name) => name.toLowerCase()))
    const characters = answers.reduce((sum, { length }) => sum + length, 0) / answers.length
    console.log(
      `\n${title}: ${answers.length} answers of ${Math.round(characters)} characters, ${needles.length} names`,
    )
    const floor = secondsFor(() => {
      for (const answer of answers) {
        const text = answer.toLowerCase()
        for (const needle of needles) text.includes(needle)
      }
    })
    print('includes in lower case', answers.length / floor, 1)
    const finding = secondsFor(() => {
      for (const answer of answers) find(answer)
    })
    print('names found', answers.length / finding, floor / finding)
    const judging = secondsFor(() => {
      for (const answer of answers) judge(answer)
    })
    print('names, stance, position and sentiment', answers.length / judging, floor / judging)
  }
}

const print = (name: string, perSecond: number, ratio: number) =>
  console.log(
    `  ${name.padEnd(40)} ${Math.round(perSecond).toLocaleString('en').padStart(10)} /s  ${(ratio * 100).toFixed(0)} % of the floor`,
  )

/** Seconds of processor time, the best of several rounds. */
function secondsFor(work: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1e6)
  }
  return best
}

const names = [
  'Northgate Plumbing & Heating',
  'Drain Doctors',
  "O'Hara Plumbing",
  'Leeds Boiler Company',
  'Swift Pipes',
]
const filler = [
  'Here are some plumbers in Leeds that people often mention for emergency call-outs and boiler repairs.',
  'They cover the city centre and the suburbs, and most of them answer the telephone in the evening.',
  'Prices vary with the time of day; ask for a fixed quote and check the registration before work begins.',
  'See the list of members at https://registry.example/members?city=leeds and compare recent reviews.',
]

const english = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const listed = [0, 1, 2].map((n) => names[(at + n) % names.length])
    const items = listed.map((name, n) => `${n + 1}. **${name}** – open on weekdays, ${filler[(at + n) % 4]}`)
    return [...filler, ...items, `I would recommend ${listed[0]} first.`, filler[at % 4]].join('\n')
  })

const german = (count: number) =>
  english(count).map((text, at) =>
    at % 2 === 0
      ? text
      : text.replaceAll('members', 'Müller Sanitär für Wärme und Bäder').replaceAll('the', 'für die'),
  )
