# The simple rule: a new tag gets PreserveOriginal on a Multi cluster.
package imagestreams

object := input.request.object

existing contains tag.name if some tag in input.request.oldObject.spec.tags

preserved(slot) if slot.importPolicy.importMode == "PreserveOriginal"

change(path, slot) := {"op": "add", "path": concat("", [path, "/importPolicy/importMode"]), "value": "PreserveOriginal"} if {
	is_object(slot.importPolicy)
}

change(path, slot) := {"op": "add", "path": concat("", [path, "/importPolicy"]), "value": {"importMode": "PreserveOriginal"}} if {
	not is_object(slot.importPolicy)
}

in_scope if {
	input.settings.payloadArchitecture == "Multi"
	input.request.kind.group == "image.openshift.io"
}

patch := [change(sprintf("/spec/tags/%d", [index]), tag) |
	some index, tag in object.spec.tags
	not tag.name in existing
	not preserved(tag)
] if {
	in_scope
	input.request.operation in {"CREATE", "UPDATE"}
	input.request.kind.kind == "ImageStream"
}

patch := [change(sprintf("/spec/images/%d", [index]), image) |
	some index, image in object.spec.images
	not preserved(image)
] if {
	in_scope
	input.request.operation == "CREATE"
	input.request.kind.kind == "ImageStreamImport"
}
