#!/usr/bin/env node
if (Number.parseInt(process.versions.node, 10) >= 24) {
  await import('../dist/saldo.js')
} else {
  process.stderr.write(`saldo: this is Node ${process.versions.node}, Saldo needs Node 24 or newer\n`)
  process.exitCode = 1
}
