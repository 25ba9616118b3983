// Imported before everything else. Its syntax is that of old Node versions, so that they can say what to do.
const oldest = 18

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `saldo: Node ${process.versions.node} is too old: install Node ${oldest} or later, such as 24, from nodejs.org\n`,
  )
  process.exit(1)
}
