import { writeFileSync } from 'node:fs'
import { answerExamples, learnAnswers, learnedFile, printedLearned } from './answer-training'

// Learns from the build half of the labelled answers and stores what the judge of answers reads.
writeFileSync(learnedFile, printedLearned(learnAnswers(answerExamples())))
