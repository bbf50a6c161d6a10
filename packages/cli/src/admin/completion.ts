// `cowrie completion bash|zsh|fish`: a script that knows every command and option, made from the commands
// themselves.
import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

type Known = { readonly path: string; readonly words: readonly string[] }

/** Each command by the words that lead to it, with what may follow. */
export function knownWords(command: Command, path: readonly string[] = []): Known[] {
  const below = command.commands.filter((one) => one.name() !== 'help')
  const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []))
  return [
    { path: path.join(' '), words: [...below.map((one) => one.name()), ...options, '--help'] },
    ...below.flatMap((one) => knownWords(one, [...path, one.name()])),
  ]
}

const cases = (known: readonly Known[], form: (path: string, words: string) => string): string =>
  known.map(({ path, words }) => form(path, words.join(' '))).join('\n')

const posix = (known: readonly Known[]): string => `_cowrie_words() {
  case "$1" in
${cases(known, (path, words) => `    "${path}") echo "${words}" ;;`)}
  esac
}
_cowrie_path() {
  local path="" word next
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    next="\${path:+$path }$word"
    [ -n "$(_cowrie_words "$next")" ] && path="$next"
  done
  echo "$path"
}`

const bash = (known: readonly Known[]): string => `${posix(known)}
_cowrie() {
  local path
  path="$(_cowrie_path "\${COMP_WORDS[@]:1:COMP_CWORD-1}")"
  COMPREPLY=($(compgen -W "$(_cowrie_words "$path")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cowrie cowrie`

const zsh = (known: readonly Known[]): string => `#compdef cowrie
${posix(known).replaceAll('path=', 'way=').replaceAll('local path', 'local way').replaceAll('$path', '$way').replaceAll('{path:', '{way:')}
_cowrie() {
  local -a found
  found=(\${=$(_cowrie_words "$(_cowrie_path "\${(@)words[2,CURRENT-1]}")")})
  compadd -- $found
}
compdef _cowrie cowrie`

const fish = (known: readonly Known[]): string => `function __cowrie_words
  switch "$argv[1]"
${cases(known, (path, words) => `    case '${path}'\n      string split ' ' -- '${words}'`)}
  end
end
function __cowrie_complete
  set -l way ''
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and continue
    set -l next (string trim "$way $word")
    test -n "$(__cowrie_words $next)"; and set way $next
  end
  __cowrie_words "$way"
end
complete -c cowrie -f -a '(__cowrie_complete)'`

const SCRIPTS: Readonly<Record<Shell, (known: readonly Known[]) => string>> = { bash, zsh, fish }
export const completionScript = (shell: Shell, program: Command): string => SCRIPTS[shell](knownWords(program))
