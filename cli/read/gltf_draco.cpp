/* Meshes compressed with Draco: see gltf_draco.h. Nothing is thrown out of here. */
#include "read/gltf_draco.h"

#include <cstring>
#include <draco/compression/decode.h>
#include <memory>
#include <new>

struct draco_part {
    std::unique_ptr<draco::Mesh> mesh;
};

draco_part *draco_part_open(const unsigned char *bytes, size_t size) {
    try {
        draco::DecoderBuffer buffer;
        draco::Decoder decoder;
        buffer.Init(reinterpret_cast<const char *>(bytes), size);
        auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
        if (!mesh.ok() || !mesh.value()) return nullptr;
        return new draco_part{std::move(mesh).value()};
    } catch (...) { /* sizes that lie ask for more room than there is */
        return nullptr;
    }
}

void draco_part_close(draco_part *part) { delete part; }
uint32_t draco_part_points(const draco_part *part) { return part->mesh->num_points(); }
uint32_t draco_part_triangles(const draco_part *part) { return part->mesh->num_faces(); }

void draco_part_indices(const draco_part *part, uint32_t *out) {
    for (uint32_t i = 0; i < part->mesh->num_faces(); i++)
        for (int k = 0; k < 3; k++) out[3 * size_t{i} + size_t(k)] = part->mesh->face(draco::FaceIndex(i))[k].value();
}

template <typename T> static double number_at(const uint8_t *at, int i) {
    T value;
    std::memcpy(&value, at + size_t(i) * sizeof value, sizeof value);
    return static_cast<double>(value);
}

static double stored_number(const uint8_t *at, draco::DataType type, int i) {
    switch (type) {
    case draco::DT_INT8:
        return number_at<int8_t>(at, i);
    case draco::DT_UINT8:
        return number_at<uint8_t>(at, i);
    case draco::DT_INT16:
        return number_at<int16_t>(at, i);
    case draco::DT_UINT16:
        return number_at<uint16_t>(at, i);
    case draco::DT_INT32:
        return number_at<int32_t>(at, i);
    case draco::DT_UINT32:
        return number_at<uint32_t>(at, i);
    case draco::DT_FLOAT32:
        return number_at<float>(at, i);
    case draco::DT_FLOAT64:
        return number_at<double>(at, i);
    default:
        return 0;
    }
}

static bool is_stored_number(draco::DataType type) {
    return type >= draco::DT_INT8 && type <= draco::DT_FLOAT64 && type != draco::DT_INT64 && type != draco::DT_UINT64;
}

bool draco_part_numbers(const draco_part *part, uint32_t id, int components, double *out) {
    const draco::PointAttribute *attribute = part->mesh->GetAttributeByUniqueId(id);
    if (!attribute || attribute->num_components() != components || !is_stored_number(attribute->data_type()))
        return false;
    for (uint32_t i = 0; i < part->mesh->num_points(); i++) {
        const draco::AttributeValueIndex value = attribute->mapped_index(draco::PointIndex(i));
        if (value.value() >= attribute->size()) return false;
        const uint8_t *at = attribute->GetAddress(value);
        for (int k = 0; k < components; k++) *out++ = stored_number(at, attribute->data_type(), k);
    }
    return true;
}
