export const objectsEach = 6;

/** Half of the objects are made at the same moment, the others one after the other. */
export const configuration = `terraform {
  required_providers { drill = { source = "example.test/signalbox/drill" } }
}
variable "world" {}
variable "round" {}
provider "drill" { world = var.world }
resource "drill_object" "backend" {
  count = ${objectsEach / 2}
  name  = "\${var.round}-a\${count.index}"
  takes = 300 + 400 * count.index
}
resource "drill_object" "cloud" {
  count      = ${objectsEach / 2}
  name       = "\${var.round}-b\${count.index}"
  takes      = 200 + 300 * count.index
  depends_on = [drill_object.backend]
}
`;
