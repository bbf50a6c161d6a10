// `cowrie scenario run [name]`: plays one story, says each step, and what your handler should have done.
import { InvalidArgumentError } from 'commander'
import { nearest } from '../keys/spelling.ts'
import { bold, printLine, wrap } from '../words.ts'
import type { Driver } from './driver.ts'
import { STORIES } from './stories.ts'

export function storyLines(): string[] {
  const width = Math.max(...Object.keys(STORIES).map((name) => name.length))
  return Object.entries(STORIES).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`)
}

export function readStory(text: string): string {
  if (STORIES[text]) return text
  const near = nearest(text, Object.keys(STORIES))
  throw new InvalidArgumentError(
    `${text} is not a scenario.${near ? ` Did you mean ${near}?` : ''} There are:\n${storyLines().join('\n')}`,
  )
}

export function listStories(json: boolean): void {
  const stories = Object.entries(STORIES).map(([name, { says, should }]) => ({ name, says, should }))
  const lines = ['Scenarios; run one with cowrie scenario run <name>:', ...storyLines()]
  printLine(json ? JSON.stringify(stories) : lines.join('\n'))
}

export async function runScenario(driver: Driver, name: string, json: boolean): Promise<void> {
  const story = STORIES[name]
  if (!story) throw new Error(`no story ${name}`)
  if (!json) printLine(bold(`${name}: ${story.says}`))
  await story.play(driver)
  if (json) return printLine(JSON.stringify({ name, says: story.says, steps: driver.steps.list, should: story.should }))
  printLine(['', 'What your handler should do:', ...wrap(story.should, 2)].join('\n'))
}
