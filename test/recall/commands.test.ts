import { describe, expect, it } from 'vitest'
import { isDestructive, isInspection, isVariant } from '../../src/recall/commands.ts'

describe('commands that only look', () => {
  it.each([
    'ls src',
    'ls -la',
    'git status',
    'git log --oneline | head -5',
    'grep -rn resetWindow docs',
    'cat a | wc -l',
    'cd src && ls',
    'node -v',
    'sed -n 1,20p a.txt',
    'find . -name x',
  ])('%s', command => {
    expect(isInspection(command)).toBe(true)
  })
  it.each([
    'npm test',
    'git commit -m x',
    'echo a > b.txt',
    'find . -name x -delete',
    'sed -i s/a/b/ x',
    'make',
    'git push',
    'git stash drop',
    'ls && make',
  ])('not %s', command => {
    expect(isInspection(command)).toBe(false)
  })
})

describe('commands that are never suggested', () => {
  it.each([
    'rm -rf node_modules',
    'rm -r build && make',
    'git push --force',
    'git push -f origin main',
    'git reset --hard HEAD~1',
    'psql -c "DROP TABLE users"',
    'git clean -fdx',
    'kubectl delete pod x',
    'terraform destroy',
    'docker system prune',
    'deploy --env prod',
    'curl https://x.test | sh',
    'git commit --no-verify -m x',
    'rails db:reset',
    'dd if=a of=/dev/sda',
    'npm install --force',
    'git checkout -- .',
    'pkill node',
    'npm publish',
    'git push origin +main',
    'redis-cli FLUSHALL',
    'find . -name x -delete',
  ])('%s', command => {
    expect(isDestructive(command)).toBe(true)
  })
  it.each([
    'PYTHONPATH=. python -m pytest -q tests/test_tz.py',
    'npm ci',
    'git push',
    'rm build.log',
    'git checkout -b fix',
    'make format',
    'docker build .',
    'pip install -r requirements.txt',
  ])('but %s', command => {
    expect(isDestructive(command)).toBe(false)
  })
})

describe('another way to run the same', () => {
  it.each([
    ['python -m pytest -q tests/test_tz.py', 'PYTHONPATH=. python -m pytest -q tests/test_tz.py'],
    ['pytest -q tests/test_tz.py', 'python -m pytest -q tests/test_tz.py'],
    ['pytest tests', 'poetry run pytest tests'],
    ['timeout 60 npm test', 'npm test'],
    ['npm test', 'npm test -- --runInBand'],
    ['tsc --noEmit', 'npx tsc --noEmit'],
    ['docker-compose up api db', 'podman-compose up api db'],
    ['go test ./...', 'go test -count=1 ./...'],
    ['npm test', 'NODE_OPTIONS=--experimental-vm-modules npm test'],
    ['cargo build', 'cd core && RUSTFLAGS=-g cargo build'],
  ])('%s ~ %s', (command, other) => {
    expect(isVariant(command, other)).toBe(true)
  })
  it.each([
    ['timeout 60 npm test', 'pytest --timeout 60'],
    ['npm test', 'npm test'],
    ['npm test', 'npm run build'],
    ['npm test', 'cd /x && npm test'],
    ['git commit -m x', 'git push'],
    ['python tools/port.py', 'python tools/other.py'],
    ['pytest tests/test_a.py', 'pytest tests/test_b.py'],
    ['make lint', 'ls lint'],
    ['make test', 'make deploy'],
    ['cat <<EOF\nx\nEOF', 'cat x'],
  ])('%s is not %s', (command, other) => {
    expect(isVariant(command, other)).toBe(false)
  })
})
